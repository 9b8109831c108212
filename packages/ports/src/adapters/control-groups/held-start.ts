import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'

/** A program that waits for the word on a pipe before it is itself, so that it can enter a group before it has started anything. */
export function heldCommand(
  command: readonly string[],
  pipe: number,
): readonly [program: string, ...args: readonly string[]] {
  return ['/bin/sh', '-c', `read -r _ <&${pipe} && exec "$@" ${pipe}<&-`, 'sh', ...command]
}

/** Gives the word. */
export function letGo(child: ChildProcess, pipe: number): void {
  const word = child.stdio[pipe] as Writable | null
  word?.on('error', () => undefined)
  word?.end('\n')
}
