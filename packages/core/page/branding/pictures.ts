import { hex, isNeutral, readColor } from './colors.ts'
import { shownElements } from './elements.ts'
import { Weights } from './weights.ts'

const maxSvg = 20_000
const side = 32

/** A logo: the URL of its image, its link and its alternative text. */
interface Logo {
  readonly url: string
  readonly href?: string | undefined
  readonly alt?: string | undefined
  readonly element?: Element
}

function absolute(address: string | null | undefined): string | undefined {
  if (!address || /^(?:javascript|blob|about):/i.test(address)) return undefined
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href.slice(0, 100_000) : undefined
}

function svgUrl(svg: Element): string | undefined {
  const copy = svg.cloneNode(true) as Element
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const text = copy.outerHTML
  return text.length > maxSvg ? undefined : `data:image/svg+xml;utf8,${encodeURIComponent(text)}`
}

function urlOf(element: Element): string | undefined {
  if (element instanceof HTMLImageElement) return absolute(element.currentSrc || element.src)
  if (element.localName === 'svg') return svgUrl(element)
  const address = /^url\("?([^"]+)"?\)$/.exec(getComputedStyle(element).backgroundImage)?.[1]
  return address === undefined ? undefined : absolute(address)
}

const isHome = (link: Element): boolean => {
  const url = absolute(link.getAttribute('href'))
  if (url === undefined) return false
  const { origin, pathname } = new URL(url)
  return origin === location.origin && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(pathname)
}

/** Returns the image that is most likely the logo, by its id, class, alternative text and position. */
function shownLogo(): Logo | undefined {
  let best: { readonly score: number; readonly logo: Logo } | undefined
  for (const { element, box } of shownElements('img,svg,[class*=logo i],[id*=logo i],header a,nav a')) {
    const url = urlOf(element)
    if (url === undefined || box.top > 400) continue
    const link = element.closest('a[href]')
    const alt = element.getAttribute('alt') || element.getAttribute('aria-label') || link?.getAttribute('aria-label')
    const own = [element, element.parentElement, link].flatMap((one) => [one?.id, one?.getAttribute('class')])
    const names = [...own, alt, element.getAttribute('src')].join(' ')
    const score =
      (/logo/i.test(names) ? 4 : 0) +
      (/brand/i.test(names) ? 2 : 0) +
      (link && isHome(link) ? 3 : 0) +
      (element.closest('header,nav,[role=banner]') ? 2 : 0) -
      (box.height > 250 || box.width > 700 ? 4 : 0) -
      (/client|partner|customer|sponsor|footer/i.test(names) ? 4 : 0)
    if (score < 4 || (best && best.score >= score)) continue
    best = {
      score,
      logo: { url, href: absolute(link?.getAttribute('href')), alt: alt?.trim().slice(0, 300) || undefined, element },
    }
  }
  return best?.logo
}

type Node = Readonly<Record<string, unknown>>

const notOfSite = /product|brand|person|review|offer/i
const maxNodes = 2_000

/** Returns the JSON-LD nodes of the page, except for products, brands, people and reviews and everything inside them. */
function dataNodes(): Node[] {
  const nodes: Node[] = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 10 || nodes.length > maxNodes) return
    if (Array.isArray(value)) return value.forEach((one) => visit(one, depth + 1))
    const node = value as Node
    if ([node['@type']].flat().some((type) => notOfSite.test(String(type)))) return
    nodes.push(node)
    for (const one of Object.values(node)) visit(one, depth + 1)
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      visit(JSON.parse(script.textContent ?? ''), 0)
    } catch {
      // Ignore invalid JSON.
    }
  }
  return nodes
}

/** Returns the URL of a JSON-LD image: a string, a node, or a reference to a node by `@id`. */
function imageIn(value: unknown, nodes: readonly Node[], depth = 0): string | undefined {
  if (typeof value === 'string') return absolute(value)
  if (Array.isArray(value)) return imageIn(value[0], nodes, depth)
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  const node = value as Node
  const address = node['contentUrl'] ?? node['url']
  if (typeof address === 'string') return absolute(address)
  const id = node['@id']
  const target =
    typeof id === 'string' ? nodes.find((one) => one['@id'] === id && (one['contentUrl'] ?? one['url'])) : undefined
  return target ? imageIn(target, nodes, depth + 1) : undefined
}

const sizeOf = (link: Element): number => Number(/(\d+)x\d+/i.exec(link.getAttribute('sizes') ?? '')?.[1] ?? 0)

function largest(selector: string): string | undefined {
  const links = [...document.querySelectorAll(selector)].sort((one, other) => sizeOf(other) - sizeOf(one))
  return absolute(links[0]?.getAttribute('href'))
}

const metaOf = (name: string): string | undefined =>
  document
    .querySelector(`meta[property="${name}"],meta[name="${name}"]`)
    ?.getAttribute('content')
    ?.trim()
    .slice(0, 300) || undefined

/** Returns the most frequent color of an image that is not grey. Images of other origins cannot be read. */
function colorOf(element: Element | undefined): string | undefined {
  const colors = new Weights()
  if (element?.localName === 'svg') {
    for (const part of [element, ...element.querySelectorAll('*')]) {
      const color = readColor(getComputedStyle(part).fill)
      if (color && color.a > 0.5 && !isNeutral(color)) colors.add(hex(color), 1)
    }
    return colors.ranked()[0]
  }
  if (!(element instanceof HTMLImageElement) || !element.complete) return undefined
  try {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = side
    const pen = canvas.getContext('2d')
    pen?.drawImage(element, 0, 0, side, side)
    const data = pen?.getImageData(0, 0, side, side).data ?? []
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0, a = 0] = data.slice(at, at + 4)
      const color = { r, g, b, a: a / 255 }
      if (color.a > 0.9 && !isNeutral(color)) colors.add(hex(color), 1)
    }
  } catch {
    return undefined
  }
  return colors.ranked()[0]
}

/** Reads the name of the brand, its logo and icons, and the main color of the logo. */
export function readPictures() {
  const nodes = dataNodes()
  const declared = nodes.map((node) => imageIn(node['logo'], nodes)).find(Boolean)
  const shown = shownLogo()
  const logo =
    shown?.url ?? declared ?? largest('link[rel~="apple-touch-icon" i],link[rel="apple-touch-icon-precomposed" i]')
  const named = nodes.find(
    ({ '@type': type, name }) => /Organization|WebSite|Corporation/.test(String(type)) && typeof name === 'string',
  )
  const alt = shown?.alt?.replace(/\s*\blogo\b\s*/i, ' ').trim()
  const brandName =
    metaOf('og:site_name') ?? (named?.['name'] as string | undefined) ?? metaOf('application-name') ?? alt
  const image = metaOf('og:image')
  return {
    brandName: brandName?.slice(0, 300) || undefined,
    logoColor: colorOf(shown?.element),
    images: {
      ...{ logo, logoHref: shown?.href, logoAlt: shown?.alt },
      favicon: largest('link[rel~="icon" i]'),
      ogImage: absolute(image),
    },
  }
}
