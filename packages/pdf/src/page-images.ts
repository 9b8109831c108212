import type { ContentImage, ContentPage } from '@harvestman/core/plugin'

import { pagesNamed } from './pages-named.ts'

/** Pictures of the pages of a file, within the limits of the option `pageImages`. */
export interface PageImages {
  /** Adds a picture, and returns true. If that would exceed the limits, returns false, and for all pages after it. */
  add(number: number, image: ContentImage): boolean
  /** Returns the pages with their pictures. */
  addTo(pages: readonly ContentPage[]): ContentPage[]
}

const maxImages = 50
const maxBytes = 32 * 1_048_576
/** Names the limits in a sentence. */
export const pageImageLimits = `A file has at most ${maxImages}, of ${maxBytes / 1_048_576} MB in all.`

/** Creates an empty collection for one file. */
export function makePageImages(): PageImages {
  const images = new Map<number, ContentImage>()
  let bytes = 0
  let isFull = false
  return {
    add: (number, image) => {
      isFull ||= images.size >= maxImages || bytes + image.bytes.byteLength > maxBytes
      if (isFull) return false
      bytes += image.bytes.byteLength
      images.set(number, image)
      return true
    },
    addTo: (pages) => pages.map((page) => ({ ...page, image: images.get(page.number) })),
  }
}

/** Returns a warning that names pages without a picture. The reason is a sentence. */
export function withoutImageWarning(numbers: readonly number[], reason: string): string {
  return `${pagesNamed(numbers)} ${numbers.length === 1 ? 'has' : 'have'} no picture. ${reason}`
}
