import { writeFile } from 'node:fs/promises'

import { EngineError } from '@harvestman/ports'
import { configTemplate } from '@harvestman/node'

import { defaultConfigFile } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

/**
 * Writes a config file with every setting and its description. An existing file is only overwritten with `force`. Otherwise, and
 * if the file cannot be written, rejects with `invalid_request`. With `print`, only prints it. Resolves to the exit code.
 */
export async function init(
  file: string | undefined,
  { print, force }: { readonly print?: boolean; readonly force?: boolean },
  { out, err }: Shell,
): Promise<number> {
  const text = configTemplate()
  if (print) {
    out(text)
    return exitCodes.done
  }
  const name = file ?? defaultConfigFile
  try {
    await writeFile(name, text, { flag: force ? 'w' : 'wx', mode: 0o600 })
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const what = exists
      ? 'already exists. Overwrite it with --force.'
      : 'cannot be written. Check its folder and permissions.'
    throw new EngineError('invalid_request', `${name} ${what}`, { cause })
  }
  const read = file === undefined ? 'Commands in this folder read it' : `Name it with --config ${name}`
  err(
    `Wrote ${name}, with every setting as a comment. ${read}.\n  → Remove the slashes in front of a setting, then run: harvestman doctor\n`,
  )
  return exitCodes.done
}
