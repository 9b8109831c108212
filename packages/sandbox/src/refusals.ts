// Why there is no sandbox, and what to do about it.
import { EngineError } from '@harvestman/ports'

export function cannotStart(words: string): EngineError {
  const remedy = remedyFor(words)
  return new EngineError('not_configured', `The sandbox for code could not be started. ${remedy}`, {
    details: { port: 'sandbox', output: words, remedy },
  })
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /\/usr\/bin\/(?:setpriv|prlimit)/,
    'The programs setpriv and prlimit are missing in /usr/bin: install util-linux (apt-get install util-linux).',
  ],
  [
    /ENOENT|not found|No such file or directory: bwrap/i,
    'The program bubblewrap is missing: install it (apt-get install bubblewrap).',
  ],
  [
    /No permissions to create new namespace|setting up uid map|Creating new namespace failed|Operation not permitted/i,
    'This system does not allow user namespaces: allow them (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap; sysctl kernel.unprivileged_userns_clone=1; in Docker, --security-opt seccomp=unconfined or a profile that allows unshare).',
  ],
  [
    /Can't (?:find|open) (?:source path )?.*Permission denied|Can't find source path/i,
    'An unprivileged user must be able to read the files of Node and of this package: do not install them under /root.',
  ],
  [/Unknown option --disable-userns/i, 'bubblewrap is too old: version 0.8 or later is needed.'],
]

function remedyFor(words: string): string {
  return remedies.find(([pattern]) => pattern.test(words))?.[1] ?? `It said: ${words.trim().slice(0, 500) || 'nothing'}`
}

export function noFilter(): EngineError {
  return new EngineError(
    'not_configured',
    `Code runs in a jail on x64 and arm64 alone: for ${process.arch} there is no filter of system calls.`,
    { details: { port: 'sandbox' } },
  )
}

const groupRemedy =
  'Run the server as a systemd service with Delegate=yes, as root, or in a container that may write to its /sys/fs/cgroup. Or take a weaker bound, which code can pass by some hundreds of megabytes: HARVESTMAN_SANDBOX_BOUND=watched, or localSandbox({ bound: "watched" }).'

export function noGroup(cause: unknown): EngineError {
  const reason = reasonOf(cause)
  return new EngineError(
    'not_configured',
    `The memory of a jail cannot be bounded by the kernel here: ${reason} ${groupRemedy}`,
    { details: { port: 'sandbox', output: reason, remedy: groupRemedy }, cause },
  )
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this process may not make control groups.',
  EPERM: 'this process may not make control groups.',
  EROFS: 'the control groups of this system are mounted for reading alone.',
  EBUSY: 'the control group of this process has processes that do not leave it.',
  ENOENT: 'the control groups of this system lack a bound that is needed.',
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'for an unknown reason.'
  const code = 'code' in cause ? String(cause.code) : undefined
  return code === undefined ? cause.message : (reasons[code] ?? `control groups cannot be made (${code}).`)
}
