import { EngineError } from '@harvestman/core'

/** What the command line can say of how pages are loaded, whatever the command. */
export interface PageFlags {
  readonly format?: readonly string[]
  readonly fullPage?: boolean
  readonly header?: readonly string[]
  readonly timeout?: string
  readonly insecure?: boolean
}

/** The options of a page in the words of the engine. */
export function pageOptions({ format = ['markdown'], fullPage, header, timeout, insecure }: PageFlags) {
  const formats = format.flatMap((names) => names.split(',')).map((name) => name.trim())
  return {
    formats,
    ...(fullPage && { onlyMainContent: false }),
    ...(header && { headers: Object.fromEntries(header.map(toHeader)) }),
    ...(timeout !== undefined && { timeout: Number(timeout) }),
    ...(insecure && { skipTlsVerification: true }),
  }
}

function toHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new EngineError('invalid_request', `--header ${JSON.stringify(line)} is not "Name: value".`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

/** What `--options` says: whatever has no flag of its own. */
export function parseOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {}
  try {
    const options: unknown = JSON.parse(text)
    if (typeof options === 'object' && options !== null) return options as Record<string, unknown>
  } catch (cause) {
    throw new EngineError('invalid_request', '--options is not JSON. Quote it for your shell.', { cause })
  }
  throw new EngineError('invalid_request', '--options must be a JSON object.')
}
