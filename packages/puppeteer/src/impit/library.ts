import type * as impit from 'impit'

import { loadOptional } from '@harvestman/toolbox/load-optional'

/** A browser whose TLS hello impit knows. */
export type KnownBrowser = impit.Browser

/** A client with its own connections. */
export type Client = impit.Impit

/** The class of responses. */
export type ResponseClass = typeof impit.ImpitResponse

/** The module. */
export type Library = typeof impit

/** Loads impit. Rejects with `not_configured` if it is not installed. */
export function loadImpit(): Promise<Library> {
  return loadOptional('impit', 'HTTP with the identity of a browser', () => import('impit'))
}
