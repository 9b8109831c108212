import { open } from 'node:fs/promises'

import type { AnyDocument } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'

import { openFolder, pageNames } from './page-files.ts'
import { toneOf, type Paint } from './paint.ts'
import { printable } from './printable.ts'
import type { Shell } from './shell.ts'

export interface OutletFlags {
  readonly json?: boolean
  readonly output?: string
  readonly out?: string
}

/** Output destination for the pages of a job. */
export interface Outlet {
  take(document: AnyDocument): Promise<void> | void
  close(): Promise<void>
  /** The file or folder, for messages; absent if pages are printed. */
  readonly place?: string
}

const done = async (): Promise<void> => undefined

/**
 * Opens the destination that the flags choose: a folder, a file, JSON lines, or one line per page. In a folder, pages with the
 * single format Markdown or HTML are plain files, others JSON. Rejects with `invalid_request` if the folder or file cannot be
 * written.
 */
export async function openOutlet(
  flags: OutletFlags,
  formats: readonly string[],
  { out, paint }: Shell,
): Promise<Outlet> {
  if (flags.out !== undefined) return intoFolder(flags.out, flags.json ? [] : formats)
  if (flags.output !== undefined) return intoFile(flags.output)
  if (flags.json) return { take: (document) => out(`${JSON.stringify(document)}\n`), close: done }
  return { take: (document) => out(pageLine(document, paint.out)), close: done }
}

function pageLine({ metadata }: AnyDocument, paint: Paint): string {
  const { statusCode, url, title } = metadata
  const name = typeof title === 'string' ? paint('quiet', `  ${printable(title)}`) : ''
  return `${paint(toneOf(statusCode), `${statusCode}`)}  ${url}${name}\n`
}

// Extensions of formats that are saved as plain files. For other formats, the whole document is saved as JSON.
const endings: Readonly<Record<string, string>> = { markdown: 'md', html: 'html', rawHtml: 'html' }

async function intoFolder(folder: string, formats: readonly string[]): Promise<Outlet> {
  const write = await openFolder(folder)
  const names = pageNames()
  const [only = ''] = formats.length === 1 ? formats : []
  const ending = endings[only] ?? 'json'
  return {
    take: (document) => {
      const value = ending === 'json' ? undefined : document[only]
      const text = typeof value === 'string' ? value : JSON.stringify(document, null, 2)
      const name = names.nameOf(document.metadata.sourceURL, typeof value === 'string' ? ending : 'json')
      return write(name, text.endsWith('\n') ? text : `${text}\n`)
    },
    close: done,
    place: folder,
  }
}

async function intoFile(file: string): Promise<Outlet> {
  try {
    const handle = await open(file, 'w')
    return {
      take: (document) => handle.appendFile(`${JSON.stringify(document)}\n`),
      close: () => handle.close(),
      place: file,
    }
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and permissions.`, { cause })
  }
}
