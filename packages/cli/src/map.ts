import { previewOf, withClient, type EngineFlags } from './follow.ts'
import { parseOptions } from './page-options.ts'
import type { PreviewFlags } from './preview.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'
import { numberOr } from './numbers.ts'

export interface MapFlags extends EngineFlags, PreviewFlags {
  readonly search?: string
  readonly limit?: string
  readonly sitemap?: string
  readonly subdomains?: boolean
  readonly keepQuery?: boolean
  readonly fresh?: boolean
  readonly timeout?: string
  readonly options?: string
}

/** Prints the URLs of a site, one per line. Rejects if the site cannot be loaded. Resolves to the exit code; Ctrl-C stops it. */
export async function map(url: string, flags: MapFlags, shell: Shell): Promise<number> {
  if (flags.preview) return previewOf('map', toMap(url, flags), flags, shell)
  return withClient(flags, shell, (client) =>
    untilStopped(async (signal) => {
      const { links, warning } = await client.map(toMap(url, flags), { signal })
      if (warning !== undefined) shell.err(`${warning}\n`)
      const line = flags.json ? (link: object) => JSON.stringify(link) : (link: { readonly url: string }) => link.url
      shell.out(links.map((link) => `${line(link)}\n`).join(''))
      return exitCodes.done
    }, shell),
  )
}

/**
 * Returns the engine's map request. Options without a flag are absent. Throws `invalid_request` if `--options` is not a JSON
 * object.
 */
export function toMap(url: string, flags: MapFlags): object {
  return {
    url,
    ...(flags.search !== undefined && { search: flags.search }),
    ...(flags.limit !== undefined && { limit: numberOr(flags.limit) }),
    ...(flags.sitemap !== undefined && { sitemap: flags.sitemap }),
    ...(flags.subdomains === false && { includeSubdomains: false }),
    ...(flags.keepQuery && { ignoreQueryParameters: false }),
    ...(flags.fresh && { ignoreCache: true }),
    ...(flags.timeout !== undefined && { timeout: numberOr(flags.timeout) }),
    ...parseOptions(flags.options),
  }
}
