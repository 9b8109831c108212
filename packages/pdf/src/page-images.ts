import type { ContentImage, ContentPage } from '@harvestman/core/plugin'

import { pagesNamed } from './pages-named.ts'

/** Pictures of the pages of a file, within the limits of the option `pageImages`. */
export interface PageImages {
  /** True if no further picture may be added. */
  isFull(): boolean
  /** Adds a picture. If that would exceed the limits, the page is omitted, and all after it. */
  add(number: number, image: ContentImage): void
  /** Notes pages without a picture, for the warning. */
  omit(numbers: readonly number[]): void
  /** Returns the pages with their pictures. */
  addTo(pages: readonly ContentPage[]): ContentPage[]
  /** Returns a warning that names the pages without a picture, with the reason. Empty if there is none. Default: the limits. */
  warnings(reason?: string): string[]
}

const maxImages = 50
const maxBytes = 32 * 1_048_576
const limits = `A file has at most ${maxImages}, of ${maxBytes / 1_048_576} MB in all, drawn within the timeout.`

/** Creates an empty collection for one file. */
export function makePageImages(): PageImages {
  const images = new Map<number, ContentImage>()
  const omitted = new Set<number>()
  let bytes = 0
  let isFull = false
  return {
    isFull: () => isFull || images.size >= maxImages,
    add: (number, image) => {
      isFull ||= images.size >= maxImages || bytes + image.bytes.byteLength > maxBytes
      if (isFull) return void omitted.add(number)
      bytes += image.bytes.byteLength
      images.set(number, image)
    },
    omit: (numbers) => numbers.forEach((number) => omitted.add(number)),
    addTo: (pages) => pages.map((page) => ({ ...page, image: images.get(page.number) })),
    warnings: (reason = limits) => {
      if (omitted.size === 0) return []
      const numbers = [...omitted].toSorted((a, b) => a - b)
      return [`${pagesNamed(numbers)} ${numbers.length === 1 ? 'has' : 'have'} no picture. ${reason}`]
    },
  }
}
