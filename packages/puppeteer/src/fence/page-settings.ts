import { isDeepStrictEqual } from 'node:util'

import { desktopFonts } from '../lib/fonts.ts'
import type { Params } from './shapes.ts'

/**
 * The settings that clients send to every page when they connect. Chromium lays out the whole page again for each, also
 * when it changes nothing, which takes seconds and as much memory again on a large page.
 */
export interface PageSettings {
  /** Whether the pages have the setting already. With another value, no later call is skipped. */
  isSet(method: string, params: Params): boolean
}

const defaultMedia: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'forced-colors': 'none',
  'prefers-contrast': 'no-preference',
}

const defaults: Readonly<Record<string, (params: Params) => boolean>> = {
  'Page.setFontFamilies': (params) => isDeepStrictEqual({ ...params }, desktopFonts),
  'Emulation.setEmulatedMedia': ({ media = '', features = [] }) =>
    media === '' &&
    (features as readonly { readonly name: string; readonly value: string }[]).every(
      ({ name, value }) => Object.hasOwn(defaultMedia, name) && defaultMedia[name] === value,
    ),
}

/** For all clients of one live browser. */
export function makePageSettings(): PageSettings {
  const changed = new Set<string>()
  return {
    isSet: (method, params) => {
      if (defaults[method]?.(params) === true) return !changed.has(method)
      changed.add(method)
      return false
    },
  }
}
