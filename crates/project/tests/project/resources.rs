//! Resources and data: configured attributes are known, all others are unknown with a cause.

use super::scene::main;

/// A resource without a schema, with arguments and blocks.
const BUCKET: &str = "resource \"aws_s3_bucket\" \"b\" {\n  bucket = \"x\"\n  tags = { a = 1 }\n  acl = null\n  rule {\n    id = \"r0\"\n  }\n  rule {\n    id = \"r1\"\n  }\n  dynamic \"part\" {\n    for_each = [\"p\", \"q\"]\n    content {\n      name = \"${part.key}${part.value}\"\n    }\n  }\n}\ndata \"aws_ami\" \"a\" {\n  owners = [\"self\"]\n}\n";

#[test]
fn what_is_written_is_known() {
    let loaded = main(BUCKET).load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("aws_s3_bucket.b.bucket"), "\"x\"");
    assert_eq!(loaded.ask("aws_s3_bucket.b.tags.a"), "1");
    assert_eq!(loaded.ask("aws_s3_bucket.b.rule[1].id"), "\"r1\"");
    assert_eq!(loaded.ask("aws_s3_bucket.b.part[1].name"), "\"1q\"");
    assert_eq!(loaded.ask("data.aws_ami.a.owners[0]"), "\"self\"");
    for unknown in [
        "aws_s3_bucket.b.arn",
        "aws_s3_bucket.b.acl",
        "aws_s3_bucket.b",
        "aws_s3_bucket.b.rule[0].status",
        "aws_s3_bucket.b.rule",
        "data.aws_ami.a.id",
    ] {
        let value = loaded.value(unknown);
        assert!(!value.is_known(), "{unknown}");
        let cause = loaded.evaluation.causes().get(value.deep_causes().ids()[0]).unwrap();
        assert_eq!(cause.class.slug(), "offline", "{unknown}");
        assert!(cause.place.is_some());
    }
}

#[test]
fn terraform_data_is_built_in() {
    let loaded = main("resource \"terraform_data\" \"a\" {\n  input = { k = \"v\", l = [1, 2] }\n}\nresource \"terraform_data\" \"b\" {}\n").load();
    assert_eq!(loaded.ask("terraform_data.a.input.l[1]"), "2");
    assert_eq!(loaded.ask("length(terraform_data.a.output.l)"), "2");
    assert_eq!(loaded.ask("try(terraform_data.a.output.nope, \"f\")"), "\"f\"");
    assert_eq!(loaded.ask("terraform_data.a.id == null"), "false");
    assert_eq!(loaded.ask("terraform_data.b.output == null"), "true");
    let cause = loaded
        .evaluation
        .causes()
        .get(loaded.value("terraform_data.a.id").deep_causes().ids()[0])
        .unwrap();
    assert_eq!(cause.class.slug(), "pending");
    assert!(loaded.ask("terraform_data.a.colour").contains("<question>:1:"));
    let wrong = main("resource \"terraform_data\" \"a\" {\n  inptu = 1\n  id = \"x\"\n  extra {}\n}\nlocals {\n  a = terraform_data.a\n}\n").load();
    assert_eq!(wrong.all().len(), 3);
}

#[test]
fn instances_of_unknown_resources() {
    let loaded =
        main("resource \"aws_x\" \"y\" {\n  count = 2\n  name = \"n${count.index}\"\n}\nresource \"aws_x\" \"z\" {\n  name = \"z\"\n}\n").load();
    assert_eq!(loaded.ask("aws_x.y[1].name"), "\"n1\"");
    assert_eq!(loaded.ask("length(aws_x.y)"), "2");
    assert_eq!(loaded.ask("aws_x.y[*].name"), "[\n  \"n0\",\n  \"n1\",\n]");
    assert_eq!(loaded.ask("aws_x.y.*.name[1]"), "\"n1\"");
    assert_eq!(loaded.ask("[for i in [1] : aws_x.y[i].name]"), "[\n  \"n1\",\n]");
    assert_eq!(loaded.ask("length(aws_x.y[*].id)"), "2");
    assert!(!loaded.value("aws_x.y[*].id").is_wholly_known());
    assert_eq!(loaded.ask("aws_x.z[*].name"), "[\n  \"z\",\n]");
    assert!(!loaded.value("aws_x.y[0].id").is_known());
    assert!(loaded.ask("aws_x.y.name").contains("instance-key"));
}

#[test]
fn causes_are_numbered_in_source_order() {
    let loaded = main("variable \"z\" {}\nresource \"aws_b\" \"b\" {}\nvariable \"a\" {}\nresource \"aws_a\" \"a\" {}\n").load();
    let addresses: Vec<String> = (0..4)
        .map(|id| {
            loaded.evaluation.causes().get(groma_value::CauseId(id)).unwrap().address.to_string()
        })
        .collect();
    assert_eq!(addresses, ["var.z", "aws_b.b", "var.a", "aws_a.a"]);
}
