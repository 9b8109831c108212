import { definePlugin, providePort, type PluginContext } from '@harvestman/core/plugin'
import { EngineError, type Ocr } from '@harvestman/ports'
import { ocrPort } from '@harvestman/pdf/pages'

import { makeImageParser } from './image-parser.ts'
import type { PictureLimits } from './picture/limits.ts'
import { tesseract } from './tesseract/tesseract.ts'

/** Creates an engine with the services of the plugin, such as its guarded network access. */
export type MakeOcr = (context: Pick<PluginContext, 'fetcher'>) => Ocr

/** Options of `ocr`. */
export interface OcrPluginOptions extends Partial<PictureLimits> {
  /** Recognizes text. Default: `tesseract()`. */
  readonly engine?: Ocr | MakeOcr
  /** Languages of the text, such as `['eng', 'deu']`. Default: those of the engine. */
  readonly languages?: readonly string[]
}

/** Default limits of `ocr`: a page of A3 at 400 dots per inch. */
export const defaultPictureLimits: PictureLimits = { maxPixels: 40_000_000, maxPages: 100 }

/**
 * Creates a plugin that recognizes the text of images (`parsers: ['image']`), and of scans for the plugin `pdf`. Throws
 * `not_configured` if a bundler has merged the package into an application.
 */
export function ocr({ engine = tesseract(), languages, ...limits }: OcrPluginOptions = {}) {
  let opened = typeof engine === 'function' ? undefined : engine
  const service: Ocr = {
    get name() {
      return opened?.name ?? 'OCR'
    },
    read: (picture, options) => {
      if (!opened) return Promise.reject(new EngineError('closed', 'The engine has not opened the plugin ocr yet.'))
      return opened.read(picture, { ...(languages && { languages }), ...options })
    },
  }
  const parser = makeImageParser(service, { ...defaultPictureLimits, ...limits })
  return definePlugin({
    name: 'ocr',
    parsers: [parser],
    gives: { services: [providePort(ocrPort, service)] },
    open: (context) => {
      if (typeof engine === 'function') opened = engine(context)
    },
  })
}
