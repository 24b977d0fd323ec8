//! Broken input of every kind: for any bytes, loading and evaluating end, and report errors instead of stopping.

use super::scene::Scene;

/// The files of the project whose texts are damaged.
const FILES: [(&str, &str); 5] = [
    (
        "main.tf",
        "variable \"a\" {\n  type = object({ x = optional(number, 1), y = list(string) })\n  default = { y = [\"q\"] }\n  validation {\n    condition = var.a.x > 0\n    error_message = \"x is ${var.a.x}\"\n  }\n}\nlocals {\n  l = [for k, v in var.a.y : upper(v) if k >= 0]\n  t = <<-EOT\n    %{ for v in local.l ~}\n    ${v}\n    %{ endfor ~}\n  EOT\n}\nresource \"aws_x\" \"y\" {\n  for_each = toset(local.l)\n  name = each.key\n  dynamic \"part\" {\n    for_each = var.a.y\n    content {\n      n = part.value\n    }\n  }\n  lifecycle {\n    ignore_changes = [name]\n  }\n}\nmodule \"m\" {\n  source = \"./m\"\n  count = length(local.l)\n  v = local.t\n}\noutput \"o\" { value = module.m[*].o }\noutput \"p\" { value = aws_x.y[\"Q\"].name }\n",
    ),
    ("x_override.tf", "locals {\n  l = [\"o\"]\n}\noutput \"o\" {\n  sensitive = true\n}\n"),
    ("terraform.tfvars", "a = { x = 2, y = [\"a\", \"b\"] }\n"),
    (
        "j.tf.json",
        "{\"locals\": {\"j\": \"${local.t}!\"}, \"output\": {\"q\": {\"value\": \"${local.j}\"}}, \"resource\": {\"aws_x\": {\"z\": {\"count\": 2, \"name\": \"${count.index}\"}}}}",
    ),
    ("m/main.tf", "variable \"v\" {}\noutput \"o\" { value = \"<${var.v}>\" }\n"),
];

#[test]
fn mutated_projects_never_panic() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    let pieces: [&[u8]; 14] = [
        b"{", b"}", b"\"", b"${", b"[", b"]", b"=", b"\n", b"\xff", b"\0", b"local.l", b"null",
        b"...", b"<<EOT\n",
    ];
    for _ in 0..400 {
        let mut scene = Scene::new();
        for (name, text) in FILES {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..random(4) {
                let at = random(bytes.len());
                match random(4) {
                    0 => {
                        bytes.truncate(at);
                    }
                    1 => {
                        let end = (at + random(30)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    2 => {
                        let piece = pieces[random(pieces.len())];
                        bytes.splice(at..at, piece.iter().copied());
                    }
                    _ => {
                        let (from, end) = (random(bytes.len()), bytes.len());
                        let copied = bytes[from..(from + 40).min(end)].to_vec();
                        bytes.splice(at..at, copied);
                    }
                }
            }
            scene = scene.file(name, bytes);
        }
        let loaded = scene.load();
        loaded.all();
        loaded.ask("[local.l, module.m, aws_x.y, var.a]");
    }
}
