import { existsSync } from 'node:fs'

import { EngineError } from '@harvestman/ports'

import type { Shell } from './shell.ts'

export interface ReplayFlags {
  readonly patch?: boolean
}

type Run = (args: readonly string[], shell: Shell) => Promise<number>

/**
 * Runs a command with the recorded network: the recorded command, or the given one. Stores its results in memory only. Resolves
 * to the exit code. Rejects if the file does not exist or is not a record.
 */
export async function replay(
  file: string,
  command: readonly string[],
  { patch }: ReplayFlags,
  shell: Shell,
  run: Run,
): Promise<number> {
  const { readCommand, replaying } = await import('@harvestman/record')
  if (!existsSync(file)) throw new EngineError('invalid_request', `The file ${file} does not exist. Check its path.`)
  const commandLine = command.length > 0 ? command : await readCommand(file)
  const plugins = [...(shell.plugins ?? []), await replaying(file, { patch })]
  // Results of an existing store would take precedence over the record.
  return run(commandLine, { ...shell, env: { ...shell.env, HARVESTMAN_STORE: 'memory:' }, plugins })
}
