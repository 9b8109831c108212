import { writeFile } from 'node:fs/promises'

import type { AnyDocument } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'
import { openEngine, readConfig } from '@harvestman/node'

import { readLocal } from './local-files.ts'
import { pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import { showPreview, type PreviewFlags } from './preview.ts'
import { sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface ScrapeFlags extends PageFlags, PreviewFlags {
  readonly output?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly fail?: boolean
  readonly allowPrivate?: string
  readonly config?: string
}

/** A file is priced like a page. */
const fileUrl = 'https://file.example/'

/** Scrapes one page, or a file, and prints it. */
export async function scrape(target: string, flags: ScrapeFlags, shell: Shell): Promise<number> {
  const file = await readLocal(target, shell)
  const request = toRequest(flags)
  const { config } = readConfig(sources(flags.config, { allowPrivate: flags.allowPrivate }, shell))
  // Pictures stay in the document: they are written to a file, or not at all.
  const settled = { ...config, store: 'memory:', files: undefined, log: 'silent' as const }
  const { engine, close } = await openEngine(settled)
  if (flags.preview) {
    try {
      return showPreview(engine, 'scrape', { ...request, url: file ? fileUrl : target }, flags, shell)
    } finally {
      await close()
    }
  }
  const clear = (): void => void (shell.isTerminal && shell.err('\r\u001B[2K'))
  const load = async (signal: AbortSignal): Promise<number> => {
    if (shell.isTerminal) shell.err(`Scraping ${target} …`)
    const loading = file
      ? engine.unchecked.parse(file.bytes, { ...request, name: file.name }, { signal })
      : engine.unchecked.scrape({ ...request, url: target }, { signal })
    const document = await loading.finally(clear)
    return deliver(document, request.formats, flags, shell)
  }
  try {
    return await untilStopped(load, shell)
  } finally {
    await close()
  }
}

function toRequest(flags: ScrapeFlags) {
  return {
    ...pageOptions(flags),
    ...(flags.include && { includeTags: flags.include }),
    ...(flags.exclude && { excludeTags: flags.exclude }),
    ...parseOptions(flags.options),
  }
}

async function deliver(
  document: AnyDocument,
  formats: readonly (string | object)[],
  flags: ScrapeFlags,
  shell: Shell,
): Promise<number> {
  const { metadata, warning } = document
  if (warning) shell.err(`${warning}\n`)
  if (metadata.error) shell.err(`The page answered ${metadata.statusCode} (${metadata.error}).\n`)
  const content = printed(document, formats, flags.json === true)
  if (flags.output !== undefined) await write(flags.output, content, shell)
  else if (typeof content === 'string') shell.out(content)
  else throw new EngineError('invalid_request', 'This is a file. Say where it goes, as in -o page.png.')
  return flags.fail && metadata.statusCode >= 400 ? exitCodes.badStatus : exitCodes.done
}

/** One format that is text is printed as it is, a file as its bytes, a list a line each, and everything else as JSON. */
function printed(document: AnyDocument, formats: readonly (string | object)[], asJson: boolean): string | Uint8Array {
  const [only, ...others] = formats.map(nameOf)
  const value = only !== undefined && others.length === 0 ? document[only] : undefined
  if (!asJson && typeof value === 'string') return bytesIn(value) ?? (value.endsWith('\n') ? value : `${value}\n`)
  if (!asJson && isLines(value)) return value.map((line) => `${line}\n`).join('')
  return `${JSON.stringify(asJson || value === undefined ? document : value, null, 2)}\n`
}

/** `screenshot@fullPage` is a screenshot. */
function nameOf(format: string | object): string {
  return typeof format === 'string' ? (format.split('@')[0] ?? format) : (format as { readonly type: string }).type
}

/** The bytes of a file that stands in the document. */
function bytesIn(value: string): Uint8Array | undefined {
  const [head = '', body = ''] = value.slice(0, 100).startsWith('data:') ? value.split(',', 2) : []
  return head.endsWith(';base64') ? Buffer.from(body, 'base64') : undefined
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}

async function write(file: string, content: string | Uint8Array, { err }: Shell): Promise<void> {
  try {
    await writeFile(file, content)
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and your rights.`, { cause })
  }
  err(`Wrote ${Buffer.byteLength(content)} bytes to ${file}.\n`)
}
