import { useEffect, useState } from 'preact/hooks'

import { call, refusalOf, type Refusal } from '../lib/api.ts'
import { when } from '../lib/format.ts'
import { href, place } from '../lib/router.ts'
import { Diff } from '../parts/diff.tsx'
import { Empty, Heading, Notice } from '../parts/pieces.tsx'

interface Change {
  readonly changeStatus: string
  readonly visibility?: string
  readonly previousScrapeAt?: string | null
  readonly diff?: string | { readonly text?: string }
}

/** What changed on a page since it was looked at last. */
export function ChangesView() {
  const given = place.value.query
  const [url, setUrl] = useState(given.get('url') ?? '')
  const [tag, setTag] = useState(given.get('tag') ?? '')
  const [change, setChange] = useState<Change | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isBusy, setBusy] = useState(false)
  const look = async (): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    location.hash = href(['changes'], { url, ...(tag && { tag }) })
    try {
      const address = /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`
      const { data } = await call<{ data: { changeTracking?: Change } }>('v2/scrape', {
        method: 'POST',
        body: {
          url: address,
          formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'], ...(tag && { tag }) }],
        },
      })
      setChange(data.changeTracking)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  useEffect(() => {
    if (url !== '') void look()
  }, [])
  return (
    <>
      <Heading>Changes</Heading>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <span class="grow">
          <input
            type="text"
            inputMode="url"
            aria-label="Address"
            placeholder="https://example.com"
            required
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value.trim())}
          />
        </span>
        <span>
          <input
            type="text"
            aria-label="Tag"
            placeholder="tag (optional)"
            value={tag}
            onInput={(event) => setTag(event.currentTarget.value.trim())}
          />
        </span>
        <button type="submit" class="primary" disabled={isBusy || url === ''}>
          {isBusy ? 'Looking…' : 'Look now'}
        </button>
      </form>
      {refusal && <Notice refusal={refusal} retry={() => void look()} />}
      {change ? (
        <Shown change={change} />
      ) : (
        !refusal && <Empty>Write an address: the page is compared with what it was the last time.</Empty>
      )}
    </>
  )
}

const meanings: Readonly<Record<string, string>> = {
  new: 'This page was not looked at before. Look again later to see what changed.',
  same: 'Nothing changed.',
  changed: 'The page changed.',
  removed: 'The page is gone.',
}

function Shown({ change: { changeStatus, visibility, previousScrapeAt, diff } }: { readonly change: Change }) {
  const text = typeof diff === 'string' ? diff : diff?.text
  return (
    <div class="stack wide">
      <div class="facts-line" role="status">
        <b>{meanings[changeStatus] ?? changeStatus}</b>
        {previousScrapeAt && <span>Looked at before: {when(previousScrapeAt)}</span>}
        {visibility && <span>{visibility}</span>}
      </div>
      {text && <Diff text={text} />}
    </div>
  )
}
