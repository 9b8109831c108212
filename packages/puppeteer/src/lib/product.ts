import type { BrowserIdentity } from '@harvestman/ports'

/** The properties of a running browser that decide how it identifies itself. */
export interface Product {
  readonly kind: 'shell' | 'full' | 'remote'
  /** For example `Chrome/156.0.1.2`. */
  readonly product: string
  readonly userAgent: string
  /** Name of the product, such as `Google Chrome`. Absent for Chromium itself, or if it is unknown. */
  readonly brand: string | undefined
}

/** Languages that a browser is started with, in the form of `acceptLanguage`. */
export const startLanguages = 'en-US,en'

/** Returns the identity of a running browser. */
export function identityOfProduct({ product, userAgent, brand }: Omit<Product, 'kind'>): BrowserIdentity {
  const isOn = (system: string): boolean => userAgent.includes(system)
  const platform = isOn('Windows') ? 'Windows' : isOn('Macintosh') ? 'macOS' : 'Linux'
  return { version: majorIn(product) ?? 0, brand, platform }
}

const brands: readonly (readonly [path: RegExp, brand: string])[] = [
  [/google[-\\/ ]chrome/i, 'Google Chrome'],
  [/msedge|microsoft edge/i, 'Microsoft Edge'],
  [/brave/i, 'Brave'],
]

/** Returns the product that an executable belongs to, by its path, or `undefined` for Chromium. */
export function brandOf(executable: string): string | undefined {
  return brands.find(([path]) => path.test(executable))?.[1]
}

/** Returns the major version in a string such as `HeadlessChrome/150.0.1.2` or `Chromium 150.0.1.2`. */
export function majorIn(text: string): number | undefined {
  const major = Number(/(\d+)\.\d+\.\d+(?:\.\d+)?/.exec(text)?.[1] ?? 0)
  return major > 0 ? major : undefined
}
