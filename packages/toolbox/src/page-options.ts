import { isRecord, type Json } from '@harvestman/ports'

/** Options of a request that change what sites return, or that are secret. */
export type PageOptions = {
  /** Whether it has headers that the engine does not add itself. Their values may be secret. */
  readonly hasHeaders: boolean
  readonly hasProfile: boolean
  readonly isMobile: boolean
  readonly skipTlsVerification: boolean
  /** Absent for the default location. */
  readonly location?: { readonly country: string; readonly languages: readonly string[] }
}

/**
 * Returns the options of a scrape, or of the pages of a job. The engine adds `engineHeaders` to each request; their names are
 * in lower case.
 */
export function pageOptionsOf(request: unknown, engineHeaders: Readonly<Record<string, string>>): PageOptions {
  const all = isRecord(request) ? request : {}
  const { headers, mobile, profile, skipTlsVerification, location } = isRecord(all['scrapeOptions'])
    ? all['scrapeOptions']
    : all
  const given = isRecord(headers) ? Object.entries(headers) : []
  return {
    hasHeaders: given.some(([name, value]) => engineHeaders[name.toLowerCase()] !== value),
    hasProfile: profile !== undefined,
    isMobile: mobile === true,
    skipTlsVerification: skipTlsVerification === true,
    ...locationOf(location),
  }
}

/** Reads stored options. Returns `undefined` if they are invalid. */
export function readPageOptions(stored: Json | undefined): PageOptions | undefined {
  if (!isRecord(stored)) return undefined
  const { hasHeaders, hasProfile, isMobile, skipTlsVerification, location } = stored
  const isFull = [hasHeaders, hasProfile, isMobile, skipTlsVerification].every((one) => typeof one === 'boolean')
  if (!isFull) return undefined
  return {
    hasHeaders: hasHeaders === true,
    hasProfile: hasProfile === true,
    isMobile: isMobile === true,
    skipTlsVerification: skipTlsVerification === true,
    ...locationOf(location),
  }
}

function locationOf(location: unknown): Pick<PageOptions, 'location'> {
  if (!isRecord(location)) return {}
  const { country, languages } = location
  if (typeof country !== 'string' || !Array.isArray(languages)) return {}
  return { location: { country, languages: languages.map(String) } }
}
