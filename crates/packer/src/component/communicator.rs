//! The arguments that say how a machine is reached, over SSH or WinRM.

use super::{Argument, Shape};

const fn text(name: &'static str) -> Argument {
    Argument { name, shape: Shape::Text }
}

const fn number(name: &'static str) -> Argument {
    Argument { name, shape: Shape::Number }
}

const fn flag(name: &'static str) -> Argument {
    Argument { name, shape: Shape::Flag }
}

const fn texts(name: &'static str) -> Argument {
    Argument { name, shape: Shape::Texts }
}

const fn duration(name: &'static str) -> Argument {
    Argument { name, shape: Shape::Duration }
}

/// How a machine is reached.
pub(super) const COMMUNICATOR: &[Argument] = &[
    text("communicator"),
    duration("pause_before_connecting"),
    text("ssh_agent_auth_socket"),
    flag("ssh_agent_auth"),
    text("ssh_bastion_certificate_file"),
    text("ssh_bastion_host"),
    flag("ssh_bastion_agent_auth"),
    flag("ssh_bastion_interactive"),
    text("ssh_bastion_password"),
    number("ssh_bastion_port"),
    text("ssh_bastion_private_key_file"),
    text("ssh_bastion_username"),
    text("ssh_certificate_file"),
    texts("ssh_ciphers"),
    flag("ssh_clear_authorized_keys"),
    flag("ssh_disable_agent_forwarding"),
    text("ssh_file_transfer_method"),
    number("ssh_handshake_attempts"),
    text("ssh_host"),
    duration("ssh_keep_alive_interval"),
    texts("ssh_key_exchange_algorithms"),
    text("ssh_keypair_name"),
    texts("ssh_local_tunnels"),
    text("ssh_password"),
    number("ssh_port"),
    text("ssh_private_key_file"),
    text("ssh_proxy_host"),
    text("ssh_proxy_password"),
    number("ssh_proxy_port"),
    text("ssh_proxy_username"),
    flag("ssh_pty"),
    duration("ssh_read_write_timeout"),
    texts("ssh_remote_tunnels"),
    duration("ssh_timeout"),
    text("ssh_username"),
    duration("ssh_wait_timeout"),
    text("temporary_key_pair_name"),
    number("temporary_key_pair_bits"),
    text("temporary_key_pair_type"),
    text("winrm_host"),
    flag("winrm_insecure"),
    flag("winrm_no_proxy"),
    text("winrm_password"),
    number("winrm_port"),
    duration("winrm_timeout"),
    flag("winrm_use_ntlm"),
    flag("winrm_use_ssl"),
    text("winrm_username"),
];
