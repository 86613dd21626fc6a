import { homedir, networkInterfaces } from "node:os";
import type { Host } from "./host.ts";

export type Attempt = {
  name: string;
  /** A command that would print ESCAPED, print the secret or leave a trace on the host. */
  command(host: Host): string;
  /** The same command without confinement does reach the host, and harms nothing: shows that the look can fail. */
  control?: true;
};

const python = (code: string) => `python3 - <<'PY'\n${code}\nPY`;
// The numbers of the calls are those of x64.
const syscall = (code: string) =>
  python(
    `import ctypes, os, sys\nlibc = ctypes.CDLL(None, use_errno=True)\nif os.uname().machine != 'x86_64': sys.exit()\n${code}`,
  );

/** Leaves a process behind whose name can be looked for. */
const sleeper = (mark: string) => `bash -c 'exec -a ${mark} sleep 60'`;

const WRITES: Attempt[] = [
  { name: "a path outside", command: (h) => `echo x > "${h.outside}/new.txt"`, control: true },
  { name: "a path upwards", command: () => "echo x > ../new.txt; touch ../../new.txt" },
  { name: "its own link", command: (h) => `ln -s "${h.outside}" l; echo x > l/new.txt; rm -f l` },
  {
    name: "a link that was there",
    command: () => "echo x > target-link; echo x > way-out/new.txt",
    control: true,
  },
  { name: "a hard link", command: (h) => `ln "${h.outside}/target.txt" hard && echo x > hard` },
  { name: "/proc/self/root", command: (h) => `echo x > "/proc/self/root${h.outside}/new.txt"` },
  { name: "/proc/1/root", command: (h) => `echo x > "/proc/1/root${h.outside}/new.txt"` },
  { name: "the folder of the first process", command: () => "cd /proc/1/cwd/.. && echo x > new.txt" },
  {
    name: "an open descriptor",
    command: () => 'for f in /proc/*/fd/*; do [ -d "$f" ] && echo x > "$f/../new.txt"; done',
  },
  { name: "/etc, /usr and /run", command: (h) => `touch /etc/${h.mark} /usr/bin/${h.mark} /run/${h.mark}` },
  {
    name: "the root folder",
    command: (h) => `mkdir -p "${h.outside}/made"; touch /${h.mark} && echo ESCAPED`,
  },
  { name: "the user list", command: () => "echo 'evil::0:0::/:/bin/sh' >> /etc/passwd && echo ESCAPED" },
  { name: "the host's /tmp", command: (h) => `touch /tmp/${h.mark} /var/tmp/${h.mark}`, control: true },
  { name: "the host's shared memory", command: (h) => `touch /dev/shm/${h.mark}`, control: true },
  {
    name: "the real home",
    command: (h) => `touch "${homedir()}/${h.mark}" ~root/${h.mark} "$HOME/${h.mark}"`,
  },
  {
    name: "kernel settings",
    command: () =>
      "v=$(cat /proc/sys/kernel/printk_ratelimit); echo $v > /proc/sys/kernel/printk_ratelimit && echo ESCAPED",
  },
  {
    name: "a kernel setting of the network",
    command: () => "v=$(cat /proc/sys/vm/swappiness); echo $v > /proc/sys/vm/swappiness && echo ESCAPED",
  },
  { name: "magic requests", command: () => "echo h > /proc/sysrq-trigger && echo ESCAPED" },
];

const PRIVILEGES: Attempt[] = [
  {
    name: "mounting a folder",
    command: (h) =>
      `mkdir -p m; mount --bind "${h.outside}" m && echo ESCAPED; mount --bind /usr m && echo ESCAPED`,
  },
  {
    name: "making the system writable",
    command: () => "mount -o remount,rw /usr && echo ESCAPED; mount -o remount,rw / && echo ESCAPED",
  },
  { name: "a proc of its own", command: () => "mkdir -p p; mount -t proc proc p && echo ESCAPED" },
  {
    name: "changing the root",
    command: () => "chroot /proc/1/root true && echo ESCAPED; mkdir -p r; pivot_root . r && echo ESCAPED",
  },
  {
    name: "user namespaces",
    command: () =>
      "unshare -Urm sh -c 'mount -t tmpfs t /usr && echo ESCAPED'; unshare -Ur true && unshare -Urpf --mount-proc true && echo ESCAPED",
  },
  {
    name: "the namespaces of the first process",
    command: () => "nsenter -t 1 -m -p -n true && echo ESCAPED",
  },
  {
    name: "a device node",
    command: () => "mknod disk b 254 0 && head -c 16 disk && echo ESCAPED; mknod mem c 1 1 && echo ESCAPED",
  },
  {
    name: "raw devices",
    command: () =>
      "for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmem /dev/port /dev/kmsg /dev/fuse /dev/kvm; do head -c 1 $d > /dev/null && echo ESCAPED; done; dd if=/dev/zero of=/dev/vda bs=1 count=0 && echo ESCAPED",
  },
  {
    name: "sudo and su",
    command: () =>
      "sudo -n true && echo ESCAPED; su -c 'echo ESCAPED' root < /dev/null; pkexec true && echo ESCAPED",
  },
  {
    name: "becoming root",
    command: () =>
      syscall(
        "for i in (0, 65534):\n  if libc.setresuid(i, i, i) == 0: print('ESCAPED')\nif libc.setgroups(0, None) == 0: print('ESCAPED')",
      ),
  },
  {
    name: "leaving a set-user-id program",
    command: () =>
      `cp /bin/bash b; chmod u+s b; chmod 4755 b; cp -p b c; install -m 4755 /bin/bash d; ${syscall("for i in (0o100 | 1, 0o20200000 | 1):\n  fd = libc.open(b'.' if i > 0o20000000 else b'e', i, 0o4755)\n  fd >= 0 and print(oct(os.fstat(fd).st_mode))\nlibc.fchmodat(-100, b'b', 0o4755, 0)\nlibc.syscall(452, -100, b'b', 0o4755, 0)\nlibc.mknod(b'g', 0o104755, 0)")}\n[ -z "$(find . -perm /4000)" ] || echo ESCAPED; rm -f b c d e g`,
    control: true,
  },
  {
    name: "a set-user-id program",
    command: () => "cp /bin/bash b; chmod u+s b; ./b -p -c '[ $(id -u) = 0 ] && echo ESCAPED'; rm -f b",
  },
  {
    name: "capabilities",
    command: () =>
      "grep -E 'Cap(Prm|Eff|Bnd|Amb)' /proc/self/status | grep -qv '0000000000000000' && echo ESCAPED",
  },
  {
    name: "files by handle",
    command: () =>
      syscall(
        "h = (ctypes.c_char * 20)(*bytes([8,0,0,0, 1,0,0,0, 2,0,0,0,0,0,0,0, 0,0,0,0]))\nfd = os.open('.', os.O_RDONLY)\nif libc.syscall(304, fd, h, 0) >= 0: print('ESCAPED')",
      ),
  },
  {
    name: "typing into the terminal",
    command: () =>
      python(
        "import fcntl, termios\nfor fd in (0, 1, 2):\n  try:\n    fcntl.ioctl(fd, termios.TIOCSTI, b'x'); print('ESCAPED')\n  except OSError: pass\ntry:\n  t = open('/dev/tty', 'rb+', 0); fcntl.ioctl(t, termios.TIOCSTI, b'x'); print('ESCAPED')\nexcept OSError: pass",
      ),
  },
  { name: "loading a module", command: () => "modprobe dummy && echo ESCAPED; insmod /x.ko && echo ESCAPED" },
  {
    name: "the host's name and clock",
    command: () => "hostname $(hostname) && echo ESCAPED; date -s now && echo ESCAPED",
  },
  {
    name: "raised limits",
    command: () =>
      "ulimit -u 100000 && [ $(ulimit -u) -gt 2000 ] && echo ESCAPED; ulimit -f unlimited && echo ESCAPED; prlimit --pid $$ --nproc=unlimited --fsize=unlimited && echo ESCAPED",
  },
];

const READS: Attempt[] = [
  {
    name: "the key rings of the session",
    command: () =>
      syscall(
        "for ring in (-1, -2, -3, -4, -5):\n  if libc.syscall(250, 0, ring, 1) > 0: print('ESCAPED')\nif libc.syscall(248, b'user', b'x', b'y', 1, -3) > 0: print('ESCAPED')",
      ),
    ...(process.arch === "x64" ? { control: true } : {}),
  },
  {
    name: "a secret outside",
    command: (h) => `cat "${h.outside}/secret.txt" way-out/secret.txt`,
    control: true,
  },
  { name: "the real home", command: (h) => `cat "${h.home ?? homedir()}/secret.txt"` },
  {
    name: "keys and settings in the real home",
    command: () =>
      `cd "${homedir()}" && cat .ssh/* .gnupg/* .aws/credentials .netrc .npmrc .git-credentials .docker/config.json .mecha/* .bash_history .cargo/credentials* && echo ESCAPED`,
  },
  {
    name: "what else is in the real home",
    command: () =>
      `ls -A "${homedir()}" | grep -vE '^\\.(pyenv|rustup|volta|nvm|fnm|asdf|local|rbenv|cargo|bun|deno|sdkman|ghcup)$|^(go|(mini|ana)conda3|miniforge3)$' && echo ESCAPED`,
  },
  {
    name: "the whole tree",
    command: (h) =>
      `find / \\( -path /proc -o -path /usr -o -path /opt -o -path "${homedir()}" \\) -prune -o -name secret.txt -print 2>/dev/null | grep . && echo ESCAPED; grep -rs ${h.secret.slice(0, 10)} /etc /run /tmp /var /srv /mnt /media && echo ESCAPED`,
  },
  { name: "the environment", command: () => "env; declare -x; cat /proc/self/environ", control: true },
  {
    name: "the environment of every process",
    command: () => "cat /proc/[0-9]*/environ | tr '\\0' '\\n'",
    control: true,
  },
  {
    name: "passwords",
    command: () =>
      "cat /etc/shadow /etc/gshadow && echo ESCAPED; cat /etc/ssl/private/* && echo ESCAPED; ls /etc/ssh && echo ESCAPED",
  },
  {
    name: "kernel memory and log",
    command: () => "head -c 1 /proc/kcore && echo ESCAPED; cat /sys/kernel/security/* && echo ESCAPED",
  },
  {
    name: "the host's mounts",
    command: () => "ls /mnt/* /media/* /srv/* /boot/* /sys/* 2>/dev/null | grep . && echo ESCAPED",
  },
];

const PROCESSES: Attempt[] = [
  {
    name: "seeing the host's processes",
    command: (h) =>
      `[ -d /proc/${h.canaryPid} ] && grep -q sleep /proc/${h.canaryPid}/cmdline && echo ESCAPED; ps aux | grep -v grep | grep 'sleep 600' && echo ESCAPED`,
    control: true,
  },
  { name: "ending a process of the host", command: (h) => `kill -9 ${h.canaryPid}` },
  { name: "ending every process", command: () => "pkill -9 -f 'sleep 60[0]'; [ $$ -lt 100 ] && kill -9 -1" },
  {
    name: "tracing",
    command: (h) =>
      `strace -p ${h.canaryPid} -o s & sleep 0.1; grep . s && echo ESCAPED; ${syscall(`if libc.ptrace(16, ${h.canaryPid}, 0, 0) == 0: print('ESCAPED')`)}`,
  },
  {
    name: "reading the memory of others",
    command: (h) =>
      `head -c 1 /proc/${h.canaryPid}/mem && echo ESCAPED; head -c 1 /proc/${h.canaryPid}/maps && echo ESCAPED`,
  },
  {
    name: "priorities of others",
    command: (h) => `renice -n 5 -p ${h.canaryPid} && echo ESCAPED; renice -n -10 -p $$ && echo ESCAPED`,
  },
  { name: "a child in the background", command: (h) => `${sleeper(h.mark)} > /dev/null 2>&1 &` },
  { name: "a child that holds the output", command: (h) => `${sleeper(h.mark)} &` },
  { name: "nohup", command: (h) => `nohup ${sleeper(h.mark)} > /dev/null 2>&1 &` },
  { name: "setsid", command: (h) => `setsid ${sleeper(h.mark)} > /dev/null 2>&1 &` },
  {
    name: "two forks and no parent",
    command: (h) =>
      `(setsid bash -c "(${sleeper(h.mark).replaceAll('"', "")} &) " < /dev/null > /dev/null 2>&1 &); disown -a; sleep 0.1`,
  },
  {
    name: "a daemon",
    command: (h) =>
      python(
        `import os, time\nif os.fork(): time.sleep(0.1); os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nos.chdir('/')\n[os.close(f) for f in (0, 1, 2)]\nos.execvp('sleep', ['${h.mark}', '60'])`,
      ),
  },
  {
    name: "a child that ignores signals",
    command: (h) =>
      `bash -c 'trap "" TERM HUP INT; exec -a ${h.mark} sleep 60' > /dev/null 2>&1 & sleep 0.05`,
  },
  {
    name: "at, cron and systemd",
    command: (h) =>
      `echo 'touch /tmp/${h.mark}' | at now; echo '* * * * * touch /tmp/${h.mark}' | crontab - && echo ESCAPED; systemd-run touch /tmp/${h.mark}; busctl list && echo ESCAPED`,
  },
];

const ownAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";
const inBash = (host: string, port: number) => `exec 3<>/dev/tcp/${host}/${port} && cat <&3`;

const NETWORK: Attempt[] = [
  { name: "a server on the host's loopback", command: (h) => inBash("127.0.0.1", h.port), control: true },
  { name: "the host by name", command: (h) => inBash("localhost", h.port) },
  { name: "the host by its own address", command: (h) => inBash(ownAddress(), h.port), control: true },
  {
    name: "a server on the host, from Node",
    command: (h) => `node -e 'fetch("http://127.0.0.1:${h.port}").then((r) => r.text()).then(console.log)'`,
  },
  {
    name: "the world",
    command: () =>
      "timeout 2 bash -c 'exec 3<>/dev/tcp/1.1.1.1/53' && echo ESCAPED; timeout 2 bash -c 'exec 3<>/dev/tcp/8.8.8.8/443' && echo ESCAPED",
  },
  {
    name: "the world's names",
    command: () =>
      "timeout 2 getent hosts example.com && echo ESCAPED; timeout 2 curl -sS https://example.com && echo ESCAPED",
  },
  {
    name: "datagrams",
    command: () =>
      "timeout 2 bash -c 'echo x > /dev/udp/1.1.1.1/53' && echo ESCAPED; timeout 2 ping -c 1 -W 1 1.1.1.1 && echo ESCAPED",
  },
  {
    name: "raw sockets",
    command: () =>
      python(
        "import socket\nfor a in ((socket.AF_PACKET, socket.SOCK_RAW, 768), (socket.AF_INET, socket.SOCK_RAW, 1)):\n  try:\n    socket.socket(*a); print('ESCAPED')\n  except OSError: pass",
      ),
  },
  {
    name: "an interface of its own",
    command: () =>
      "ip link add d type dummy && echo ESCAPED; ip addr add 10.9.9.9/24 dev lo && echo ESCAPED; ip link | grep -E 'eth|ens|enp|wlan' && echo ESCAPED",
  },
  {
    name: "a socket file of the host",
    command: (h) =>
      python(
        `import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('${h.outside}/host.sock'); print(s.recv(99))`,
      ),
    control: true,
  },
  {
    name: "an abstract socket of the host",
    command: (h) =>
      python(
        `import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(('\\0${h.abstractName}').ljust(108, '\\0')); print(s.recv(99))`,
      ),
    control: true,
  },
  {
    name: "sockets of services",
    command: () =>
      "ls /var/run/docker.sock /run/docker.sock /run/containerd/* /run/dbus/* /run/systemd/* /run/user/* /tmp/.X11-unix/* /tmp/ssh-* 2>/dev/null | grep . && echo ESCAPED",
  },
  {
    name: "shared memory of System V",
    command: () => "ipcs -m | grep -E '^0x' && echo ESCAPED; ipcs -q | grep -E '^0x' && echo ESCAPED",
  },
];

export const ATTEMPTS: { kind: string; attempts: Attempt[] }[] = [
  { kind: "writing", attempts: WRITES },
  { kind: "privileges", attempts: PRIVILEGES },
  { kind: "reading", attempts: READS },
  { kind: "processes", attempts: PROCESSES },
  { kind: "the network", attempts: NETWORK },
];
