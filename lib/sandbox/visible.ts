import path from "node:path";

/** Where programs live that every user of a machine may run. Links among them are made again inside. */
export const SYSTEM_PLACES = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"],
  ...["/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"],
];

// What programs need of /etc. Not the folder as a whole: it holds keys and passwords.
const SETTINGS =
  /^(alternatives|ca-certificates(\.conf)?|crypto-policies|debian_version|fonts|gai\.conf|host\.conf|java([-.].*)?|ld\.so\..*|locale\.(alias|conf)|localtime|magic(\.mime)?|mime\.types|networks|nsswitch\.conf|os-release|perl|protocols|python[\d.]*|R|rpc|services|terminfo|timezone)$/;
const NESTED_SETTINGS = [
  ...["/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf"],
  ...["/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted"],
];

/** What of /etc is shown, from the names in it. */
export function settingsPlaces(names: readonly string[]): string[] {
  return [
    ...names.filter((name) => SETTINGS.test(name)).map((name) => path.join("/etc", name)),
    ...NESTED_SETTINGS,
  ];
}

type Toolchain = { place: string; variable?: string };

// Below a home: compilers and interpreters alone. Never what stands beside them, such as ~/.cargo/credentials.toml.
const TOOLCHAINS: readonly Toolchain[] = [
  { place: ".pyenv", variable: "PYENV_ROOT" },
  { place: ".rustup", variable: "RUSTUP_HOME" },
  { place: ".volta", variable: "VOLTA_HOME" },
  ...[".nvm/versions", ".fnm", ".local/share/fnm", ".asdf/installs", ".asdf/shims"].map((place) => ({
    place,
  })),
  ...[".local/share/mise/installs", ".local/share/uv/python", ".rbenv", ".cargo/bin"].map((place) => ({
    place,
  })),
  ...[".bun/bin", ".deno/bin", ".sdkman/candidates", ".ghcup/bin", "go/bin"].map((place) => ({ place })),
  ...["miniconda3", "anaconda3", "miniforge3"].map((place) => ({ place })),
];

/** Where the toolchains of a home would be, whether or not they are there; none for a home that is no person's. */
export function toolchainsOf(home: string): Toolchain[] {
  if (!path.isAbsolute(home) || home === "/") return [];
  return TOOLCHAINS.map(({ place, ...rest }) => ({ place: path.join(home, place), ...rest }));
}

/**
 * Where a program's own files are, from the path of its executable: `<prefix>/bin/node` needs `<prefix>`. Null where
 * the prefix is a place of many things (a home, `~/.local`), which is more than a program's own.
 */
export function prefixOf(executable: string, home: string): string | null {
  const bin = path.dirname(executable);
  const prefix = path.dirname(bin);
  if (path.basename(bin) !== "bin" || prefix === "/") return null;
  return within(home, prefix) || prefix === path.join(home, ".local") ? null : prefix;
}

const STANDARD_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** The person's PATH without the folders that cannot be seen, and then the usual ones. */
export function visiblePath(searchPath: string, readOnly: readonly string[]): string {
  const theirs = searchPath
    .split(":")
    .filter((dir) => path.isAbsolute(dir) && readOnly.some((place) => within(path.normalize(dir), place)));
  return [...new Set([...theirs, ...STANDARD_PATH])].join(":");
}

/** Is `file` the folder `folder` or below it? Both absolute and normal. */
export function within(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
