import { errorCode } from '../error-message.ts'

// Reasons why there are no control groups, worded for operators.

/** Remedy for a process that may not create control groups. */
export const groupRemedy =
  'Run the server as a systemd service with Delegate=yes, as root, or in a container that may write to its /sys/fs/cgroup.'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this process may not make control groups.',
  EPERM: 'this process may not make control groups.',
  EROFS: 'the control groups of this system are mounted for reading alone.',
  EBUSY: 'the control group of this process has processes that do not leave it.',
  ENOENT: 'the control groups of this system lack a limit that is needed.',
}

/** Returns the reason, worded for operators, for an error of `openControlGroups`. */
export function whyNoGroup(cause: unknown): string {
  if (!(cause instanceof Error)) return 'for an unknown reason.'
  const code = errorCode(cause)
  return code === undefined ? cause.message : (reasons[code] ?? `control groups cannot be made (${code}).`)
}
