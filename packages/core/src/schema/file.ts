import { z } from 'zod'

import { defaultLocation, webUrl } from './scrape.ts'

const ignored = {
  description: 'Accepted from clients of the public API. Has no effect, because nothing is loaded.',
  deprecated: true,
}

const withoutEffect = {
  headers: z
    .record(z.string(), z.string())
    .meta({ title: 'Headers', ...ignored, maxProperties: 100, secret: true })
    .optional(),
  skipTlsVerification: z
    .boolean()
    .meta({ title: 'Take any certificate', ...ignored })
    .optional(),
  blockAds: z
    .boolean()
    .meta({ title: 'Block advertising', ...ignored })
    .optional(),
  proxy: z
    .enum(['basic', 'auto'])
    .meta({ title: 'Proxy', ...ignored })
    .optional(),
}

/** Options that describe an uploaded file. */
export const fileOptions = {
  ...withoutEffect,
  name: z
    .string()
    .max(1_000)
    .meta({
      title: 'Name',
      description: 'The name of the file. Its extension determines the type if the content does not.',
    })
    .optional(),
  contentType: z
    .string()
    .max(1_000)
    .meta({
      title: 'Type',
      description: 'The media type of the file, if known. The content of the file takes precedence.',
    })
    .optional(),
  url: webUrl
    .meta({
      title: 'Address',
      description: 'The URL of the file, which its relative links are resolved against. It is not loaded.',
    })
    .optional(),
}

/** Values of the page options that only affect loading, and therefore cannot be set for a file. */
export const fixedForFiles = {
  actions: [],
  waitFor: 0,
  mobile: false,
  location: defaultLocation,
  maxAge: 0,
  minAge: undefined,
  profile: undefined,
  person: undefined,
  threatProtection: undefined,
  lockdown: false,
  storeInCache: false,
  headers: {},
  skipTlsVerification: false,
  blockAds: true,
  proxy: 'basic',
} as const

/** Names of the page options that are rejected for a file. */
export const notOfFiles: readonly string[] = Object.keys(fixedForFiles).filter((name) => !(name in withoutEffect))

/** Returns the page options of a file request, with fixed values for options that only affect loading. */
export function toPageOptions(request: object): object {
  const options = Object.entries(request).filter(([name]) => !Object.hasOwn(fileOptions, name))
  return { ...Object.fromEntries(options), ...fixedForFiles }
}
