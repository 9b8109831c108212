import { freeHold } from '../credits/hold.ts'
import { EngineError } from '@harvestman/ports'
import type { MapRequest } from '../schema/map.ts'
import type { Caller } from '../scrape/caller.ts'
import { scrape } from '../scrape/scrape.ts'
import type { MapKit } from './kit.ts'

/** Facts about a page loaded for a map. */
export interface VisitedPage {
  /** URL of the page after redirects. */
  readonly url: string
  readonly isGood: boolean
  readonly status: number
  readonly title: string | undefined
  readonly description: string | undefined
  readonly anchors: readonly Anchor[]
}

interface Anchor {
  readonly url: string
  readonly text: string
}

const reading = { field: 'page.anchors', name: 'anchors', options: null } as const

/**
 * Loads a page like a scrape, including pages rendered by scripts, within `timeout` milliseconds. Charges nothing, and rejects
 * with the errors of a scrape. An error status does not reject.
 */
export async function loadMapPage(
  url: string,
  timeout: number,
  { location, headers, profile, threatProtection }: MapRequest,
  caller: Caller,
  kit: MapKit,
): Promise<VisitedPage> {
  const options = { onlyMainContent: false, location, headers, profile, timeout, threatProtection }
  const request = kit.pageRequest({ url, formats: ['metadata'], ...options })
  // The map pays for all of its pages.
  const mapCaller = { ...caller, keep: false, hold: freeHold, isOneOfMany: true }
  const { document, values } = await scrape(request, mapCaller, kit, { readings: [reading] })
  const anchors = (values[reading.field] ?? []) as readonly Anchor[]
  const { url: landed, statusCode: status, title, description } = document.metadata
  return { url: landed, isGood: status < 400, status, title, description, anchors }
}

/**
 * Returns whether an error ends the whole map rather than just this page: the signal is aborted, the engine closed, or it is a
 * bug.
 */
export function endsMap(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || !EngineError.is(error) || error.code === 'closed' || error.code === 'internal'
}
