// Learned extractors of this machine, or of a server.
import { readFileSync } from 'node:fs'

import { EngineError } from '@harvestman/ports'

import { withEngine, type EngineFlags } from './follow.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface ExtractorFlags extends EngineFlags {
  readonly json?: boolean
}

export async function listExtractors(flags: ExtractorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ extractors }, store) => {
    const found = await extractors.list()
    for (const extractor of found) {
      const { id, revision, program } = extractor
      const fields = printable(Object.keys(program.fields).join(', ')).slice(0, 200)
      const line = `${printable(id)}  revision ${revision}  ${printable(program.path)}  ${fields}\n`
      shell.out(flags.json ? `${JSON.stringify(extractor)}\n` : line)
    }
    if (found.length === 0 && !flags.json) shell.err(`There is no extractor in ${store}.\n`)
    return exitCodes.done
  })
}

export async function showExtractor(id: string, flags: ExtractorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ extractors }) => {
    shell.out(`${JSON.stringify((await extractors.find(id)).program, null, 2)}\n`)
    return exitCodes.done
  })
}

export async function listVersions(id: string, flags: ExtractorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ extractors }) => {
    for (const version of await extractors.versions(id)) shell.out(`${JSON.stringify(version)}\n`)
    return exitCodes.done
  })
}

/** Puts the program of a file in the place of the one that an extractor has. */
export async function editExtractor(id: string, file: string, flags: ExtractorFlags, shell: Shell): Promise<number> {
  const program = programIn(file)
  return withEngine(flags, shell, async ({ extractors }) => {
    const { revision } = await extractors.edit(id, program)
    shell.err(`The extractor ${printable(id)} is at revision ${revision}.\n`)
    return exitCodes.done
  })
}

function programIn(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError(
      'invalid_request',
      `${file} is not JSON. Print a program with: harvestman extractors show <id>`,
    )
  }
}

export async function deleteExtractor(id: string, flags: ExtractorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ extractors }) => {
    await extractors.delete(id)
    shell.err(`The extractor ${printable(id)} is deleted.\n`)
    return exitCodes.done
  })
}
