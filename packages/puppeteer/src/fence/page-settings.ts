import { isDeepStrictEqual } from 'node:util'

import { desktopFonts } from '../lib/fonts.ts'
import type { Params } from './shapes.ts'

/**
 * Skips settings that clients send to every page when they connect but that are already in effect. Chromium lays out the whole
 * page again for each, which takes seconds and doubles the memory of a large page.
 */
export interface PageSettings {
  /** Returns whether pages already have this setting. After a different value was set, always returns `false`. */
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

/** Creates the settings that all clients of a live browser share. */
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
