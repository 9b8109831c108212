// Errors for a sandbox that cannot start, with the remedy.
import { EngineError } from '@harvestman/ports'
import { groupRemedy, whyNoGroup } from '@harvestman/toolbox/control-groups/obstacles'

/**
 * Creates the `not_configured` error for a sandbox that did not start. `words` is the output of its process, from which the
 * remedy is chosen.
 */
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

/** Creates the `not_configured` error for a CPU architecture without a seccomp filter. */
export function noFilter(): EngineError {
  return new EngineError(
    'not_configured',
    `The sandbox runs only on x64 and arm64: there is no system call filter for ${process.arch}.`,
    { details: { port: 'sandbox' } },
  )
}

const remedyForGroups = `${groupRemedy} Or take a weaker limit, which code that allocates quickly or in the kernel can exceed by gigabytes: HARVESTMAN_SANDBOX_BOUND=watched, or localSandbox({ bound: "watched" }).`

/**
 * Creates the `not_configured` error for a host on which this process may not create control groups, with the reason and the
 * remedy.
 */
export function noGroup(cause: unknown): EngineError {
  const reason = whyNoGroup(cause)
  return new EngineError(
    'not_configured',
    `The kernel cannot limit the memory of the sandbox here: ${reason} ${remedyForGroups}`,
    { details: { port: 'sandbox', output: reason, remedy: remedyForGroups }, cause },
  )
}
