import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * Returns a command that waits for a line on a pipe, by its file descriptor in the child, before it executes the given one, so
 * that the process can be added to a group before it has started anything.
 */
export function heldCommand(
  command: readonly string[],
  pipe: number,
): readonly [program: string, ...args: readonly string[]] {
  return ['/bin/sh', '-c', `read -r _ <&${pipe} && exec "$@" ${pipe}<&-`, 'sh', ...command]
}

/** Sends the line that `heldCommand` waits for, through the stdio pipe with this index. Does nothing if the child has ended. */
export function releaseCommand(child: ChildProcess, pipe: number): void {
  const word = child.stdio[pipe] as Writable | null
  word?.on('error', () => undefined)
  word?.end('\n')
}
