import type { Shell } from './shell.ts'

export interface ReplayFlags {
  readonly patch?: boolean
}

type Run = (args: readonly string[], shell: Shell) => Promise<number>

/** Runs a command over a record: the one that was recorded, or the one that is given. */
export async function replay(
  file: string,
  command: readonly string[],
  { patch }: ReplayFlags,
  shell: Shell,
  run: Run,
): Promise<number> {
  const { readCommand, replaying } = await import('@harvestman/record')
  const given = command.length > 0 ? command : await readCommand(file)
  const plugins = [...(shell.plugins ?? []), await replaying(file, { patch })]
  // What was kept before would be in the way of what the record says.
  return run(given, { ...shell, env: { ...shell.env, HARVESTMAN_STORE: 'memory:' }, plugins })
}
