import { writeFile } from 'node:fs/promises'

import type { AnyDocument } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'
import { openEngine } from '@harvestman/node'
import { readConfig } from '@harvestman/node/configuration'
import { openPageEngine } from '@harvestman/node/page-engine'

import { connect, type CommandClient } from './client.ts'
import { localClient } from './local-client.ts'
import { readLocal } from './local-files.ts'
import { explainFormats, pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import { showPreview, type PreviewFlags } from './preview.ts'
import { clearLine } from './printable.ts'
import { engineErrorOf } from './server-errors.ts'
import { serverFor } from './servers.ts'
import { sources } from './settings.ts'
import { report } from './failures.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface ScrapeFlags extends PageFlags, PreviewFlags {
  readonly output?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly fail?: boolean
  readonly allowPrivate?: string
  readonly config?: string
  readonly server?: string
  readonly key?: string
}

/** Placeholder URL for price previews: a file costs as much as a page. */
const fileUrl = 'https://file.example/'

/**
 * Scrapes pages or files and prints them in order. Resolves to the exit code of the first failure, otherwise to 0. If one of
 * several pages fails, its error is printed and the others are still scraped; a single page rejects. Rejects with
 * `invalid_request` for `--output` with several pages. With `--preview`, only prints the prices.
 */
export async function scrape(targets: readonly string[], flags: ScrapeFlags, shell: Shell): Promise<number> {
  if (flags.output !== undefined && targets.length > 1) {
    const message = '-o writes one file. Scrape one page, or pass the pages to harvestman batch with --out <folder>.'
    throw new EngineError('invalid_request', message)
  }
  const { client, close } = await clientFor(flags, shell)
  const all = async (signal: AbortSignal): Promise<number> => {
    let code: number = exitCodes.done
    for (const target of targets) {
      const ended = await scrapeOne(target, { client, flags, shell, signal, isOneOfMany: targets.length > 1 })
      if (code === exitCodes.done) code = ended
    }
    return code
  }
  try {
    return await untilStopped(all, shell)
  } finally {
    await close()
  }
}

/** Scrapes store nothing on this host: screenshots stay in the document and are only written with `-o`. */
async function clientFor(flags: ScrapeFlags, shell: Shell): Promise<{ client: CommandClient; close(): Promise<void> }> {
  const server = serverFor(flags, shell)
  if (server) return { client: connect(server), close: async () => undefined }
  const { config } = readConfig(sources(flags.config, { allowPrivate: flags.allowPrivate }, shell))
  const settled = { ...config, store: 'memory:', files: undefined, log: 'silent' as const }
  const plugins = shell.plugins ?? []
  // A plugin may use features of the server, such as live browsers.
  const open = config.plugins.length + plugins.length > 0 ? openEngine : openPageEngine
  const { engine, close } = await open(settled, { plugins })
  return { client: localClient(engine), close }
}

interface Scraping {
  readonly client: CommandClient
  readonly flags: ScrapeFlags
  readonly shell: Shell
  readonly signal: AbortSignal
  /** If true, the failure of one page is printed and the remaining pages are still scraped. */
  readonly isOneOfMany: boolean
}

async function scrapeOne(target: string, { client, flags, shell, signal, isOneOfMany }: Scraping): Promise<number> {
  const request = toRequest(flags)
  const clear = (): void => void (shell.isTerminal && shell.err(clearLine))
  try {
    const file = await readLocal(target, shell)
    if (flags.preview) {
      const price = await client.team.preview({ kind: 'scrape', request: { ...request, url: file ? fileUrl : target } })
      return showPreview(price, flags, shell)
    }
    if (shell.isTerminal) shell.err(`Scraping ${target} …`)
    const loading = file
      ? client.parse(file.bytes, { ...request, name: file.name }, { signal })
      : client.scrape({ ...request, url: target }, { signal })
    return await deliver(await loading.finally(clear), request.formats, flags, shell)
  } catch (error) {
    const failure = explainFormats(error, request)
    if (!isOneOfMany || signal.aborted || !engineErrorOf(failure)) throw failure
    shell.err(`✗ ${target}  `)
    return report(failure, shell)
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
  if (metadata.error) shell.err(`The page responded with status ${metadata.statusCode} (${metadata.error}).\n`)
  const content = printed(document, formats, flags.json === true)
  if (flags.output !== undefined) await write(flags.output, content, shell)
  else if (typeof content === 'string') shell.out(content)
  else throw new EngineError('invalid_request', 'The result is a file. Choose where to write it, as in -o page.png.')
  return flags.fail && metadata.statusCode >= 400 ? exitCodes.badStatus : exitCodes.done
}

/**
 * Returns the output of a document. A single format is printed as plain text, file bytes, or one line per list item; everything
 * else as JSON.
 */
function printed(document: AnyDocument, formats: readonly (string | object)[], asJson: boolean): string | Uint8Array {
  const [only, ...others] = formats.map(nameOf)
  const value = only !== undefined && others.length === 0 ? document[only] : undefined
  if (!asJson && typeof value === 'string') return bytesIn(value) ?? (value.endsWith('\n') ? value : `${value}\n`)
  if (!asJson && isLines(value)) return value.map((line) => `${line}\n`).join('')
  return `${JSON.stringify(asJson || value === undefined ? document : value, null, 2)}\n`
}

/** Returns the name of a format without its suffix: `screenshot@fullPage` is `screenshot`. */
function nameOf(format: string | object): string {
  return typeof format === 'string' ? (format.split('@')[0] ?? format) : (format as { readonly type: string }).type
}

/** Returns the bytes of a data URL, or `undefined` for other strings. */
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
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and permissions.`, { cause })
  }
  err(`Wrote ${Buffer.byteLength(content)} bytes to ${file}.\n`)
}
