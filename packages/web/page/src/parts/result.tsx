import { useState } from 'preact/hooks'

import type { PageOfBlocks } from '../lib/blocks.ts'
import type { Document } from '../lib/document.ts'
import { duration, shown } from '../lib/format.ts'
import { Changed, Preview, Screenshot } from './content.tsx'
import { later } from './later.tsx'
import { Markdown } from './markdown.tsx'
import { Code, Sign, Tabs, type Tab } from './pieces.tsx'
import { ResultActions } from './result-actions.tsx'
import { EvidenceTable, Why, type Explanation } from './why.tsx'

const PageBoxes = later(async () => (await import('./page-boxes.tsx')).PageBoxes)
const JsonTree = later(async () => (await import('./json-tree.tsx')).JsonTree)
const LinkTable = later(async () => (await import('./link-table.tsx')).LinkTable)

/** A document in tabs: its formats, its JSON and its explanation. */
export function Result({ document, ms }: { readonly document: Document; readonly ms?: number | undefined }) {
  const [tab, setTab] = useState('')
  const { warning, metadata } = document
  const tabs = tabsOf(document)
  return (
    <div class="card">
      {(warning ?? metadata.error) && (
        <p class="warning small" role="status">
          <span aria-hidden="true">! </span>
          {shown(
            [metadata.error && `The page responded with an error: ${metadata.error}.`, warning]
              .filter(Boolean)
              .join(' '),
          )}
        </p>
      )}
      <ResultActions document={document} tab={tab || (tabs[0]?.id ?? '')} />
      <Tabs tabs={tabs} chosen={tab} choose={setTab} />
      <Footline document={document} ms={ms} />
    </div>
  )
}

function Footline({
  document: { metadata, explain },
  ms,
}: {
  readonly document: Document
  readonly ms?: number | undefined
}) {
  const engine = explain?.steps?.findLast(({ step, outcome }) => step === 'loader' && outcome === 'page')?.loader
  const { statusCode, proxyUsed, cacheState, creditsUsed, scrapeId } = metadata
  return (
    <div class="footline">
      <Sign status={statusCode} />
      {ms !== undefined && <span>{duration(ms)}</span>}
      {engine && <span>{engine}</span>}
      {proxyUsed && proxyUsed !== 'basic' && <span>proxy {proxyUsed}</span>}
      {cacheState && <span>cache {cacheState}</span>}
      {creditsUsed !== undefined && <span>{creditsUsed === 1 ? '1 credit' : `${creditsUsed} credits`}</span>}
      {scrapeId && <span class="mono id">{scrapeId}</span>}
    </div>
  )
}

type View = (value: never, document: Document) => readonly Tab[]

// Views of known formats. Other formats, such as plugin formats, are shown by the type of their value.
const views: Readonly<Record<string, View>> = {
  markdown: (text: string) => [
    { id: 'read', label: 'Read', view: () => <Markdown text={text} /> },
    { id: 'source', label: 'Markdown', view: () => <Code text={text} name="Markdown" /> },
  ],
  blocks: (pages: readonly PageOfBlocks[], document) => [
    {
      id: 'blocks',
      label: 'Pages',
      view: () => (
        <PageBoxes
          pages={pages}
          markdown={document.markdown}
          images={document.pageImages ?? []}
          data={document['json']}
          fields={document.explain?.formats?.['json']?.fields}
        />
      ),
    },
  ],
  html: (html: string) => [{ id: 'html', label: 'HTML', view: () => <Preview html={html} /> }],
  rawHtml: (html: string) => [{ id: 'raw', label: 'Raw HTML', view: () => <Preview html={html} /> }],
  links: (links: readonly string[], document) => [listTab('links', links, document)],
  images: (images: readonly string[], document) => [listTab('images', images, document)],
  screenshot: (address: string, { metadata }) => [
    { id: 'shot', label: 'Screenshot', view: () => <Screenshot address={address} title={metadata.title ?? ''} /> },
  ],
  json: (data: unknown, { explain, blocks }) => [
    {
      id: 'data',
      label: 'Data',
      view: () => {
        const fields = explain?.formats?.['json']?.fields
        return (
          <div class="stack wide">
            {fields && Object.keys(fields).length > 0 && <EvidenceTable data={data} fields={fields} pages={blocks} />}
            <JsonTree value={data} />
          </div>
        )
      },
    },
  ],
  changeTracking: (change: Parameters<typeof Changed>[0]['change']) => [
    { id: 'changes', label: 'Changes', view: () => <Changed change={change} /> },
  ],
}

function listTab(name: 'links' | 'images', list: readonly string[], { metadata }: Document): Tab {
  const label = `${name === 'links' ? 'Links' : 'Images'} ${list.length}`
  const page = metadata.url ?? metadata.sourceURL
  return { id: name, label, view: () => <LinkTable addresses={list} page={page} empty={`The page has no ${name}.`} /> }
}

// Shown elsewhere, or a duplicate of another field.
const apart = new Set(['metadata', 'explain', 'warning', 'llm_extraction', 'extract', 'pageImages'])

function tabsOf(document: Document): readonly Tab[] {
  const formats = Object.entries(document).filter(([name, value]) => !apart.has(name) && value !== undefined)
  const known = Object.keys(views)
  const rank = ([name]: readonly [string, unknown]): number => (known.includes(name) ? known.indexOf(name) : 0.5)
  return [
    ...formats
      .toSorted((a, b) => rank(a) - rank(b))
      .flatMap(([name, value]) =>
        known.includes(name) ? (views[name]?.(value as never, document) ?? []) : [otherTab(name, value)],
      ),
    { id: 'document', label: 'JSON', view: () => <JsonTree value={document} name="JSON" /> },
    ...(document.explain ? [whyTab(document.explain)] : []),
  ]
}

function whyTab(explain: Explanation): Tab {
  return { id: 'why', label: 'Why', view: () => <Why explain={explain} /> }
}

function otherTab(name: string, value: unknown): Tab {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  if (typeof value === 'string') return { id: name, label, view: () => <p class="prose">{shown(value)}</p> }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return {
      id: name,
      label: `${label} ${value.length}`,
      view: () => (
        <ul class="prose">
          {value.map((item, index) => (
            <li key={index}>{shown(item)}</li>
          ))}
        </ul>
      ),
    }
  }
  return { id: name, label, view: () => <JsonTree value={value} name={name} /> }
}
