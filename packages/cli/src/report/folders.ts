// Plots a site by folder: the width is the number of pages, and a strip shows their status kinds.
import { fragment, type Markup } from './markup.ts'
import { count, kindOf, kinds, type Kind } from './numbers.ts'

interface Folder {
  readonly name: string
  readonly path: string
  pages: number
  readonly shares: Record<Kind, number>
  readonly folders: Map<string, Folder>
}

const size = { width: 1_080, row: 40, strip: 6, deepest: 6, narrowest: 4, letter: 7, mostFolders: 400 }

function emptyFolder(name: string, path: string): Folder {
  return { name, path, pages: 0, shares: { ok: 0, moved: 0, refused: 0, broken: 0 }, folders: new Map() }
}

/**
 * Returns the number of pages by host and folder, as a tree. The root is the only host, or all hosts. Invalid URLs are skipped.
 */
export function foldersOf(pages: readonly { readonly url: string; readonly status: number }[]): Folder {
  const root = emptyFolder('all hosts', '')
  for (const { url, status } of pages) {
    if (!URL.canParse(url)) continue
    const { host, pathname } = new URL(url)
    // The last segment is the page itself.
    const names = [
      host,
      ...pathname
        .split('/')
        .filter(Boolean)
        .slice(0, pathname.endsWith('/') ? undefined : -1),
    ]
    let folder = root
    count1(root, status)
    for (const name of names) {
      const next = folder.folders.get(name) ?? emptyFolder(name, `${folder.path}/${name}`)
      folder.folders.set(name, next)
      count1(next, status)
      folder = next
    }
  }
  const [only] = root.folders.values()
  return root.folders.size === 1 && only ? only : root
}

function count1(folder: Folder, status: number): void {
  folder.pages += 1
  folder.shares[kindOf(status)] += 1
}

interface Laid {
  readonly folder: Folder
  readonly x: number
  readonly width: number
  readonly depth: number
}

function lay(root: Folder): readonly Laid[] {
  const laid: Laid[] = []
  const walk = (folder: Folder, x: number, width: number, depth: number): void => {
    if (width < size.narrowest || depth >= size.deepest || laid.length >= size.mostFolders) return
    laid.push({ folder, x, width, depth })
    let at = x
    for (const child of [...folder.folders.values()].toSorted((a, b) => b.pages - a.pages)) {
      const share = (child.pages / folder.pages) * width
      walk(child, at, share, depth + 1)
      at += share
    }
  }
  walk(root, 0, size.width, 0)
  return laid
}

/** Draws the tree of folders as an SVG figure, without folders below the sixth level, very small ones and all after 400. */
export function folderPicture(root: Folder): Markup {
  const laid = lay(root)
  const depth = Math.max(...laid.map((one) => one.depth)) + 1
  const caption = `${count(root.pages)} pages of ${root.name}, by folder. Wider means more pages. The strip below shows their outcomes.`
  return fragment`<figure class="wide">
    <figcaption><b>The site</b><br />${caption}</figcaption>
    <svg viewBox="0 0 ${size.width} ${depth * size.row}" role="img" aria-label="${caption}">${laid.map(cell)}</svg>
  </figure>`
}

function cell({ folder, x, width, depth }: Laid): Markup {
  const y = depth * size.row
  const maxChars = Math.floor((width - 10) / size.letter)
  const label = `${folder.name} · ${count(folder.pages)}`
  let at = x
  const strip = kinds.map((kind) => {
    const part = (folder.shares[kind] / folder.pages) * (width - 1)
    at += part
    return (
      part > 0 &&
      fragment`<rect
        class="${kind}"
        x="${(at - part).toFixed(1)}"
        y="${y + size.row - 2 - size.strip}"
        width="${part.toFixed(1)}"
        height="${size.strip}"
      />`
    )
  })
  return fragment`<g
    ><title>${folder.path}: ${count(folder.pages)}</title
    ><rect
      class="f"
      x="${x.toFixed(1)}"
      y="${y}"
      width="${(width - 1).toFixed(1)}"
      height="${size.row - 2}"
    />${strip}${
      maxChars > 3 &&
      fragment`<text class="n" x="${(x + 6).toFixed(1)}" y="${y + 20}"
        >${label.length > maxChars ? `${label.slice(0, maxChars - 1)}…` : label}</text
      >`
    }</g
  >`
}
