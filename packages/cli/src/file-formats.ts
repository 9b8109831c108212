import type { ParseFormat } from '@harvestman/client'

import { withClient, type EngineFlags } from './follow.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface FileFormatsFlags extends EngineFlags {
  readonly json?: boolean
}

/** Prints the file formats that can be parsed, one per line. Rejects if the server does not respond. Resolves to the exit code. */
export async function fileFormats(flags: FileFormatsFlags, shell: Shell): Promise<number> {
  return withClient(flags, shell, (client) =>
    untilStopped(async (signal) => {
      const formats = await client.parseFormats({ signal })
      shell.out(formats.map((format) => (flags.json ? `${JSON.stringify(format)}\n` : lineOf(format))).join(''))
      return exitCodes.done
    }, shell),
  )
}

function lineOf({ format, extensions, mimeTypes, available }: ParseFormat): string {
  const names = extensions.join(' ')
  return `${format.padEnd(6)} ${names.padEnd(20)} ${available ? mimeTypes.join(' ') : 'not available'}\n`
}
