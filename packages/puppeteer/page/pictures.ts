import { nextFrame } from '../../ports/page/elements.ts'

const maxImages = 300

/** Waits for the fonts, and for the visible images or, with `all`, all images (at most 300). */
export async function waitUntilDrawn(all: boolean): Promise<true> {
  const fonts: Partial<FontFaceSet> | undefined = document.fonts
  await Promise.all([fonts?.ready, ...[...document.images].slice(0, maxImages).map((image) => loaded(image, all))])
  await nextFrame(250)
  return true
}

function loaded(image: HTMLImageElement, all: boolean): Promise<void> | undefined {
  const { top, bottom } = image.getBoundingClientRect()
  const isInSight = all || (bottom > 0 && top < innerHeight)
  if (image.complete || !isInSight) return undefined
  if (all && image.loading === 'lazy') image.loading = 'eager'
  return new Promise((resolve) => {
    for (const type of ['load', 'error']) image.addEventListener(type, () => resolve(), { once: true })
  })
}
