import { writeFile } from 'node:fs/promises'

import { EngineError } from '@harvestman/core'
import { openEngine, readConfig } from '@harvestman/node'

import { pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import { sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface ScrapeFlags extends PageFlags {
  readonly json?: boolean
  readonly output?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly fail?: boolean
  readonly options?: string
  readonly allowPrivate?: string
  readonly config?: string
}

type Document = Awaited<ReturnType<ReturnType<typeof openEngine>['engine']['scrapeAny']>>

/** Scrapes one page and prints it. */
export async function scrape(url: string, flags: ScrapeFlags, shell: Shell): Promise<number> {
  const request = toRequest(url, flags)
  const { config } = readConfig(sources(flags.config, { allowPrivate: flags.allowPrivate }, shell))
  const { engine, close } = openEngine({ ...config, store: 'memory:', log: 'silent' })
  const cancel = new AbortController()
  const stop = (): void => cancel.abort()
  process.once('SIGINT', stop)
  try {
    if (shell.isTerminal) shell.err(`Scraping ${url} …\r`)
    const document = await engine.scrapeAny(request, { signal: cancel.signal })
    if (shell.isTerminal) shell.err('\u001B[2K')
    return await deliver(document, request.formats, flags, shell)
  } finally {
    process.off('SIGINT', stop)
    await close()
  }
}

function toRequest(url: string, flags: ScrapeFlags) {
  return {
    url,
    ...pageOptions(flags),
    ...(flags.include && { includeTags: flags.include }),
    ...(flags.exclude && { excludeTags: flags.exclude }),
    ...parseOptions(flags.options),
  }
}

async function deliver(
  document: Document,
  formats: readonly unknown[],
  flags: ScrapeFlags,
  shell: Shell,
): Promise<number> {
  const { metadata, warning } = document
  if (warning) shell.err(`${warning}\n`)
  if (metadata.error) shell.err(`The page answered ${metadata.statusCode} (${metadata.error}).\n`)
  const text = print(document, formats, flags.json === true)
  if (flags.output === undefined) shell.out(text)
  else await write(flags.output, text, shell)
  return flags.fail && metadata.statusCode >= 400 ? exitCodes.badStatus : exitCodes.done
}

/** One format that is text is printed as it is, a list a line each, and everything else as JSON. */
function print(document: Document, formats: readonly unknown[], asJson: boolean): string {
  const [only, ...others] = formats
  const value = typeof only === 'string' && others.length === 0 ? document[only] : undefined
  if (!asJson && typeof value === 'string') return value.endsWith('\n') ? value : `${value}\n`
  if (!asJson && isLines(value)) return value.map((line) => `${line}\n`).join('')
  return `${JSON.stringify(asJson || value === undefined ? document : value, null, 2)}\n`
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}

async function write(file: string, text: string, { err }: Shell): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and your rights.`, { cause })
  }
  err(`Wrote ${Buffer.byteLength(text)} bytes to ${file}.\n`)
}
