import { useMemo, useState } from 'preact/hooks'

import { addressIn, pathIn } from '../lib/address.ts'
import { number, shown } from '../lib/format.ts'
import { href } from '../lib/router.ts'
import { Choice } from './choice.tsx'
import { VirtualRows } from './virtual-rows.tsx'

export interface LinkTableProps {
  readonly addresses: readonly string[]
  /** URL of the page that contains the links. */
  readonly page: string | undefined
  readonly empty: string
}

const places = { own: 'Same site', other: 'Other sites' } as const

/** The links of a page as a table, with their target and whether they leave the site. */
export function LinkTable({ addresses, page, empty }: LinkTableProps) {
  const [word, setWord] = useState('')
  const [place, setPlace] = useState('')
  const host = addressIn(page)?.host
  const all = useMemo(
    () =>
      addresses.map((url) => {
        const address = addressIn(url)
        return { url, host: address?.host ?? '', isOwn: address !== undefined && address.host === host }
      }),
    [addresses, host],
  )
  const wanted = word.toLowerCase()
  const found = all.filter(
    ({ url, isOwn }) => url.toLowerCase().includes(wanted) && (place === '' || isOwn === (place === 'own')),
  )
  if (addresses.length === 0) return <p class="muted">{empty}</p>
  return (
    <div class="stack">
      <div class="bar">
        <input
          class="filter"
          type="text"
          aria-label="Filter by URL"
          placeholder="Filter by URL"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
        <Choice label="Site" all="Every site" names={places} value={place} choose={setPlace} />
        <span class="small muted" role="status">
          {found.length < all.length && `${number(found.length)} of ${number(all.length)}`}
        </span>
      </div>
      {found.length === 0 ? (
        <p class="muted">No URLs match this filter.</p>
      ) : (
        <VirtualRows rows={found} label="Addresses" kind="links">
          {({ url, host: of, isOwn }) => (
            <>
              <span role="gridcell" class="where">
                <Target url={url} text={isOwn ? pathIn(url) : url} />
              </span>
              <span role="gridcell" class="fact beside where">
                {isOwn ? 'same site' : shown(of)}
              </span>
              <span role="gridcell">
                {/^https?:/i.test(url) && (
                  <a
                    class="quiet"
                    href={href(['try'], { request: JSON.stringify({ url }) })}
                    aria-label={`Try ${shown(url)}`}
                  >
                    try
                  </a>
                )}
              </span>
            </>
          )}
        </VirtualRows>
      )}
    </div>
  )
}

/** Links web URLs only; other URLs are plain text. */
function Target({ url, text }: { readonly url: string; readonly text: string }) {
  if (!/^https?:/i.test(url)) return <>{shown(url)}</>
  return (
    <a href={url} title={shown(url)} target="_blank" rel="noopener noreferrer">
      {shown(text)}
    </a>
  )
}
