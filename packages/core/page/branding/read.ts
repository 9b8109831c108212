// Reads the visual identity of a page from computed styles, markup and images, without a model.
import { readComponents } from './buttons.ts'
import { ownText, shownElements } from './elements.ts'
import { readFonts } from './fonts.ts'
import { readPalette } from './palette.ts'
import { readPictures } from './pictures.ts'
import { readSpaces } from './spaces.ts'

/**
 * Returns the branding of the page: colors, fonts, spacing, components and images. Unknown values are absent. Returns `null` if
 * the browser shows a file that is not HTML.
 */
export function readBranding(): unknown {
  if (!/html/.test(document.contentType) || !document.body) return null
  const texts = shownElements('body *').filter(({ element }) => ownText(element) > 0)
  const { fills, buttons, components } = readComponents()
  const { brandName, logoColor, images } = readPictures()
  return {
    ...{ brandName, logo: images.logo, images },
    ...readPalette(texts, fills, logoColor),
    ...readFonts(texts),
    ...readSpaces(buttons),
    components,
  }
}
