import type { PageVersion, TrackedPage } from '@harvestman/client'
import { useEffect, useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { counted, number, when } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { note, place } from '../lib/router.ts'
import { changeMeanings } from '../parts/content.tsx'
import { Diff } from '../parts/diff.tsx'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { TrackedPages } from '../parts/tracked-pages.tsx'

interface Look {
  readonly changeStatus: string
  readonly previousScrapeAt?: string | null
}

/** Shows the versions of a page and the changes between them. */
export function ChangesView() {
  const given = place.value.query
  const [url, setUrl] = useState(given.get('url') ?? '')
  const [tag, setTag] = useState(given.get('tag') ?? '')
  const [look, setLook] = useState<Look | undefined>()
  const [versions, setVersions] = useState<readonly PageVersion[] | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isBusy, setBusy] = useState(false)
  const address = /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`
  const about = { url: address, ...(tag && { tag }) }

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  const read = async (): Promise<void> => {
    note(['changes'], { url, ...(tag && { tag }) })
    setVersions((await client.changes.history(about)).versions)
  }
  const lookNow = async (): Promise<void> => {
    const formats = ['markdown', { type: 'changeTracking', ...(tag && { tag }) }]
    const { changeTracking } = await client.scrape({ url: address, formats })
    setLook(changeTracking as Look | undefined)
    await read()
  }
  useEffect(() => {
    if (url !== '') void attempt(read)
  }, [])
  return (
    <>
      <Heading>Changes</Heading>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(lookNow)
        }}
      >
        <span class="grow">
          <input
            type="text"
            inputMode="url"
            aria-label="URL"
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
          {isBusy ? 'Checking…' : 'Check now'}
        </button>
        <button type="button" disabled={isBusy || url === ''} onClick={() => void attempt(read)}>
          History
        </button>
      </form>
      {refusal && <Notice refusal={refusal} retry={() => void attempt(lookNow)} />}
      {look && (
        <p role="status">
          <b>{changeMeanings[look.changeStatus] ?? look.changeStatus}</b>{' '}
          {look.previousScrapeAt && <span class="muted">Last checked: {when(look.previousScrapeAt)}</span>}
        </p>
      )}
      {versions?.length === 0 && !refusal && (
        <Empty>This page has no versions yet. Check it now to store the first one.</Empty>
      )}
      {versions === undefined && !refusal && !isBusy && <TrackedPages />}
      {versions && versions.length > 0 && (
        <Versions key={`${address} ${tag} ${versions[0]?.version}`} about={about} versions={versions} />
      )}
    </>
  )
}

/** The versions of a page next to the changes in the selected one. `[` and `]` select the older and newer version. */
function Versions({ about, versions }: { readonly about: TrackedPage; readonly versions: readonly PageVersion[] }) {
  const [chosen, setChosen] = useState(versions[0]?.version ?? 0)
  const at = versions.findIndex(({ version }) => version === chosen)
  const before = versions[at + 1]
  const { answer: diff, refusal } = useAnswer(
    async (signal) =>
      before && (await client.changes.diff({ ...about, from: before.version, to: chosen }, { signal })).diff.text,
    [about, chosen, before?.version],
  )
  useEffect(() => {
    const step = ({ key, target }: KeyboardEvent): void => {
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      const way = key === '[' ? 1 : key === ']' ? -1 : 0
      const next = versions[at + way]
      if (way !== 0 && !isTyping && next) setChosen(next.version)
    }
    addEventListener('keydown', step)
    return () => removeEventListener('keydown', step)
  }, [at, versions])
  return (
    <div class="split">
      <div class="card rows" role="group" aria-label="Versions">
        {versions.map(({ version, firstSeenAt, checks, isRemoved, characters }) => (
          <button
            type="button"
            class="row choice"
            key={version}
            aria-current={version === chosen}
            onClick={() => setChosen(version)}
          >
            <span class={`sign ${isRemoved ? 'broken' : 'ok'}`}>{isRemoved ? '✕' : version}</span>
            <span class="where">{when(firstSeenAt)}</span>
            <span class="facts">
              {checks === 1 ? 'seen once' : `seen ${number(checks)} times`} · {counted(characters, 'character')}
            </span>
          </button>
        ))}
      </div>
      <div class="stack">
        {refusal && <Notice refusal={refusal} />}
        {diff !== undefined && <Diff text={diff} />}
        {!before && <Empty>This is the first stored version. There is nothing to compare it with yet.</Empty>}
      </div>
    </div>
  )
}
