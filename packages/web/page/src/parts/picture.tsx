import { hierarchy, partition, type HierarchyRectangularNode } from 'd3-hierarchy'
import { useMemo, useState } from 'preact/hooks'

import { addressIn, readable } from '../lib/address.ts'
import { shown } from '../lib/format.ts'
import type { JobRow } from '@harvestman/client'
import { Empty } from './pieces.tsx'
import { Bars, kindOf, statusKinds, useWidth } from './plots.tsx'

interface Node {
  readonly name: string
  readonly path: string
  pages: number
  kind: string
  /** Number of pages below, by kind of status. */
  readonly shares: Record<string, number>
  readonly children: Node[]
}

const mostNodes = 2_000
const size = { row: 20, most: 4_000, strip: 5 }

/** Chart of a crawl by URL folder: the height is the number of pages, the color is the status. */
export function Picture({ pages }: { readonly pages: readonly JobRow[] }) {
  const [reading, setReading] = useState<'folders' | 'tree' | 'depth'>('folders')
  const root = useMemo(() => treeOf(pages), [pages])
  if (pages.length === 0) return <Empty>The chart appears with the first pages.</Empty>
  return (
    <div class="stack wide">
      <div class="bar" role="group" aria-label="Reading of the picture">
        {(['folders', 'tree', 'depth'] as const).map((one) => (
          <button type="button" key={one} class="small" aria-pressed={reading === one} onClick={() => setReading(one)}>
            {one === 'folders' ? 'Folders' : one === 'tree' ? 'Tree' : 'Depth'}
          </button>
        ))}
        <Legend />
      </div>
      {reading === 'folders' && <Icicle root={root} />}
      {reading === 'tree' && (
        <ul class="scroller small" tabIndex={0}>
          <Branch node={root} />
        </ul>
      )}
      {reading === 'depth' && <Depths pages={pages} />}
    </div>
  )
}

function Legend() {
  const kinds = [
    ['ok', '✓ 2xx'],
    ['moved', '→ 3xx'],
    ['refused', '! 4xx'],
    ['broken', '✕ 5xx or failed'],
  ] as const
  return (
    <span class="facts-line">
      {kinds.map(([kind, label]) => (
        <span key={kind} class={`sign ${kind}`}>
          {label}
        </span>
      ))}
    </span>
  )
}

function treeOf(pages: readonly JobRow[]): Node {
  const root: Node = { name: '', path: '', pages: 0, kind: 'folder', shares: {}, children: [] }
  for (const page of pages.toSorted((a, b) => (a.url < b.url ? -1 : 1))) {
    const kind = kindOf(page)
    const address = addressIn(page.url)
    if (!address) continue
    const { host, pathname, search } = address
    const parts = [
      host,
      ...pathname
        .split('/')
        .filter(Boolean)
        .map((part) => shown(readable(part))),
    ]
    let node = root
    root.pages += 1
    root.shares[kind] = (root.shares[kind] ?? 0) + 1
    for (const [depth, part] of parts.entries()) {
      const isLeaf = depth === parts.length - 1
      const name = isLeaf ? part + search : part
      const known = node.children.at(-1)
      let next = known?.name === name ? known : node.children.find((child) => child.name === name)
      if (!next) {
        next = { name, path: `${node.path}/${name}`, pages: 0, kind: 'folder', shares: {}, children: [] }
        node.children.push(next)
      }
      next.pages += 1
      next.shares[kind] = (next.shares[kind] ?? 0) + 1
      // A folder has a neutral color, so that failures inside it remain visible.
      next.kind = isLeaf && next.children.length === 0 ? kind : 'folder'
      node = next
    }
  }
  // With a single host, start at the host.
  return root.children.length === 1 && root.children[0] ? root.children[0] : root
}

function Icicle({ root }: { readonly root: Node }) {
  const { ref, width } = useWidth(960)
  const laid = useMemo(() => {
    const tree = hierarchy<Node>(root, ({ children }) => children).sum(({ children, pages }) =>
      children.length > 0 ? Math.max(0, pages - children.reduce((sum, child) => sum + child.pages, 0)) : 1,
    )
    const height = Math.max(120, Math.min(size.most, root.pages * size.row))
    return { nodes: partition<Node>().size([height, width])(tree).descendants(), height }
  }, [root, width])
  const { nodes, height } = laid
  const visible = nodes.filter(({ x0, x1 }) => x1 - x0 >= 1).slice(0, mostNodes)
  return (
    <figure>
      <figcaption>
        {root.pages} pages of {shown(root.name)}, by folder.{' '}
        {nodes.length > visible.length && `${nodes.length - visible.length} too small to see.`}
      </figcaption>
      <div class="scroller" tabIndex={0} ref={ref}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label="The folders of the site. The tab Tree lists them as text."
        >
          {visible.map((node) => (
            <Cell key={node.data.path} node={node} />
          ))}
        </svg>
      </div>
    </figure>
  )
}

function Cell({ node }: { readonly node: HierarchyRectangularNode<Node> }) {
  const { x0, x1, y0, y1, data } = node
  const [width, height] = [y1 - y0, x1 - x0]
  const label = data.children.length > 0 ? `${data.name} · ${data.pages}` : data.name
  const letters = Math.floor(width / 7.5)
  return (
    <g>
      <rect
        class={`fill-${data.kind === 'folder' ? 'folder' : data.kind}`}
        x={y0}
        y={x0}
        width={Math.max(0, width - 1)}
        height={Math.max(0.5, height - 1)}
        rx={2}
      >
        <title>{shown(`${data.path} · ${data.pages}`)}</title>
      </rect>
      {data.children.length > 0 && <Strip node={node} />}
      {height > 13 && letters > 3 && (
        <text class={data.kind === 'folder' ? '' : 'on-fill'} x={y0 + 6} y={x0 + Math.min(height / 2, 16) + 4}>
          {shown(label.length > letters ? `${label.slice(0, letters - 1)}…` : label)}
        </text>
      )}
    </g>
  )
}

/** Statuses of the pages of a folder, as a strip at its edge. */
function Strip({ node: { x0, x1, y1, data } }: { readonly node: HierarchyRectangularNode<Node> }) {
  let at = x0
  return (
    <>
      {statusKinds.map((kind) => {
        const height = ((data.shares[kind] ?? 0) / data.pages) * (x1 - x0 - 1)
        const y = at
        at += height
        return (
          height > 0 && (
            <rect key={kind} class={`fill-${kind}`} x={y1 - 1 - size.strip} y={y} width={size.strip} height={height} />
          )
        )
      })}
    </>
  )
}

function Branch({ node }: { readonly node: Node }) {
  if (node.children.length === 0) {
    return (
      <li>
        <span class={`sign ${node.kind}`}>
          {node.kind === 'ok' ? '✓' : node.kind === 'moved' ? '→' : node.kind === 'refused' ? '!' : '✕'}
        </span>{' '}
        {shown(node.name)}
      </li>
    )
  }
  return (
    <li>
      <details open={node.pages < 40}>
        <summary>
          {shown(node.name)} <span class="muted">· {node.pages}</span>
        </summary>
        <ul>
          {node.children.slice(0, 500).map((child) => (
            <Branch key={child.path} node={child} />
          ))}
        </ul>
      </details>
    </li>
  )
}

/** Number of pages by the number of path segments. */
function Depths({ pages }: { readonly pages: readonly JobRow[] }) {
  const depths = Map.groupBy(pages, ({ url }) => addressIn(url)?.pathname.split('/').filter(Boolean).length ?? 0)
  const deepest = Math.max(0, ...depths.keys())
  const data = Array.from({ length: deepest + 1 }, (_, depth) => {
    const kinds = Map.groupBy(depths.get(depth) ?? [], kindOf)
    const parts = statusKinds.map((kind) => [kind, kinds.get(kind)?.length ?? 0] as const)
    return { label: depth === 0 ? 'start' : `${depth}`, parts: Object.fromEntries(parts) }
  })
  return <Bars data={data} title="Pages by the depth of their path" unit="page" />
}
