import type * as impit from 'impit'

import { EngineError } from '@harvestman/ports'
import { loadOptional } from '@harvestman/toolbox/load-optional'

/** A browser whose TLS hello impit knows. */
export type KnownBrowser = impit.Browser

/** A client with its own connections. */
export type Client = impit.Impit

/** The class of responses. */
export type ResponseClass = typeof impit.ImpitResponse

/** The module. */
export type Library = typeof impit

/** Loads impit. Rejects with `not_configured` if it is not installed, or has no binary that runs on this platform. */
export async function loadImpit(): Promise<Library> {
  try {
    return await loadOptional('impit', 'HTTP with the identity of a browser', () => import('impit'))
  } catch (cause) {
    if (EngineError.is(cause)) throw cause
    throw new EngineError('not_configured', noBinary, { cause })
  }
}

const noBinary =
  `The package impit has no binary that runs on ${process.platform} ${process.arch}. Run \`npm install impit ` +
  '--include=optional` where Harvestman is installed, or turn httpIdentity off.'
