import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { againOf, draftOfJob, type Again } from '../lib/again.ts'
import { refusalOf } from '../lib/api.ts'
import {
  chosenFile,
  draftOfPlace,
  apartOf,
  hasFormats,
  isPlaceKnown,
  offeredKinds,
  targetOf,
  tried,
  type Draft,
  type Kind,
} from '../lib/draft.ts'
import { Faults, faultsOf } from '../lib/faults.ts'
import { remember } from '../lib/history.ts'
import { askKinds } from '../lib/kinds.ts'
import { PageOfForm } from '../lib/page-schema.ts'
import { useAnswer } from '../lib/poll.ts'
import { place } from '../lib/router.ts'
import { bodyOf, describe, formatFields, formatNames, isOffered, type Description } from '../lib/schema.ts'
import { send, type Outcome } from '../lib/send.ts'
import { CostLine } from '../parts/cost.tsx'
import { FaultLine, useFault } from '../parts/fault.tsx'
import { Form } from '../parts/form.tsx'
import { Formats } from '../parts/formats.tsx'
import { later } from '../parts/later.tsx'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading } from '../parts/pieces.tsx'
import { Start } from '../parts/start.tsx'
import { Task } from '../parts/task.tsx'

const loadOutcomes = async () => (await import('../parts/outcome.tsx')).Outcomes
const Outcomes = later(loadOutcomes, null)
const Samples = later(async () => (await import('../parts/samples.tsx')).Samples, null)

/** Maximum width in pixels at which options start collapsed; the style sheet has one column up to this width. */
const narrow = 900

/** Builds a request with its options, sends it, and shows the result. */
export function TryView() {
  const again = againOf(place.value.query)
  const { answer, refusal } = useAnswer(() => askKinds().catch(() => []), [])
  if (again) return <Once again={again} />
  // Our own kinds are shown at once; a kind of a plugin has to wait for the server's list.
  if (!answer && !refusal && !isPlaceKnown()) return <Heading>Try it</Heading>
  return <Attempt given={draftOfPlace()} />
}

/** Loads the request of an earlier job into the form. */
function Once({ again }: { readonly again: Again }) {
  const { answer, refusal } = useAnswer((signal) => draftOfJob(again, signal), [again])
  if (answer) return <Attempt given={answer} />
  return (
    <>
      <Heading>Try it</Heading>
      {refusal ? <Notice refusal={refusal} /> : <Empty>Loading…</Empty>}
    </>
  )
}

function Attempt({ given }: { readonly given: Draft }) {
  // Loaded after the form, so that an error can be shown when the server is away.
  useEffect(() => void loadOutcomes().catch(() => undefined), [])
  const [draft, setDraft] = useState(given)
  const [description, setDescription] = useState<Description | undefined>()
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const [areOptionsOpen, setOptionsOpen] = useState(innerWidth > narrow)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    describe().then(setDescription, (error: unknown) => setOutcome({ refusal: refusalOf(error) }))
    return () => running.current?.abort()
  }, [])
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const isRunning = outcome !== undefined && 'since' in outcome
  const refusal = outcome && 'refusal' in outcome ? outcome.refusal : undefined
  const faults = useMemo(() => faultsOf(refusal, draft), [refusal])
  const form = useRef<HTMLDivElement>(null)
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone the form fills the screen.
    if (outcome && 'ms' in outcome && innerWidth <= narrow) result.current?.scrollIntoView()
  }, [outcome])
  useEffect(() => {
    if (refusal) showRefusal(form.current)
  }, [refusal])

  const run = async (): Promise<void> => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setOutcome({ since: performance.now() })
    remember(draft)
    try {
      setOutcome(await send(draft, own.signal))
      setOptionsOpen(false)
    } catch (error) {
      if (running.current === own) setOutcome(own.signal.aborted ? undefined : { refusal: refusalOf(error) })
    }
  }
  return (
    <Faults.Provider value={faults}>
      <Heading>Try it</Heading>
      <div class="stack" ref={form}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (draft.url.trim() !== '') void run()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run()
          }}
        >
          <div class="bar command">
            <KindInput draft={draft} description={description} change={change} />
            <TargetInput draft={draft} change={change} />
            <RunButton
              isRunning={isRunning}
              isReady={draft.url.trim() !== ''}
              cancel={() => running.current?.abort()}
            />
          </div>
          <CostLine draft={draft} />
          {refusal && <Notice refusal={refusal} retry={() => void run()} />}
          {description && (
            <PageOfForm.Provider value={pageOf(draft)}>
              <What draft={draft} description={description} change={change} />
            </PageOfForm.Provider>
          )}
        </form>
        <div class={`split ${areOptionsOpen ? '' : 'folded'}`}>
          <Options
            draft={draft}
            description={description}
            change={change}
            isOpen={areOptionsOpen}
            setOpen={setOptionsOpen}
          />
          <div class="stack wide" ref={result}>
            {outcome ? <Outcomes outcome={outcome} /> : <Start description={description} />}
            {draft.url.trim() !== '' && <Samples draft={draft} />}
          </div>
        </div>
      </div>
    </Faults.Provider>
  )
}

/** Returns the URL of a request for a single page, else an empty string. */
function pageOf({ kind, url }: Draft): string {
  return targetOf(kind).as === 'url' ? url.trim() : ''
}

/** Scrolls to the first invalid field and focuses it, or the error notice if there is none. */
function showRefusal(form: HTMLElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  for (let around = field?.parentElement; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) around.open = true
  }
  const shown = field ?? form?.querySelector<HTMLElement>('.notice')
  shown?.focus({ preventScroll: true })
  shown?.scrollIntoView({ block: 'center' })
}

interface RunButtonProps {
  readonly isRunning: boolean
  readonly isReady: boolean
  readonly cancel: () => void
}

/** One button for both states, so that it keeps the focus when they change. */
function RunButton({ isRunning, isReady, cancel }: RunButtonProps) {
  return (
    <button
      type={isRunning ? 'button' : 'submit'}
      class={isRunning ? '' : 'primary'}
      disabled={!isRunning && !isReady}
      onClick={(event) => {
        if (!isRunning) return
        event.preventDefault()
        cancel()
      }}
    >
      {isRunning ? 'Cancel' : 'Run'}
    </button>
  )
}

/** Keeps the target input if it has the same meaning for the new kind. */
function freshTarget({ kind, url }: Draft, next: Kind): Partial<Draft> {
  const [before, after] = [targetOf(kind), targetOf(next)].map(({ as }) => (as === 'urls' ? 'url' : as))
  return { kind: next, url: before === after ? url : '' }
}

interface PartProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
}

function KindInput({ draft, description, change }: PartProps & { readonly description: Description | undefined }) {
  return (
    <span class="kind">
      <label class="sr" for="kind">
        What to do
      </label>
      <select
        id="kind"
        value={draft.kind}
        onChange={(event) => change({ ...freshTarget(draft, event.currentTarget.value), values: {} })}
      >
        {offeredKinds(description).map((kind) => (
          <option key={kind} value={kind}>
            {tried(kind).label}
          </option>
        ))}
      </select>
    </span>
  )
}

function TargetInput({ draft: { kind, url }, change }: PartProps) {
  const { name, as: target } = targetOf(kind)
  const { aria } = useFault('address')
  if (target === 'file') return <FileInput change={change} />
  return (
    <span class="grow">
      {target === 'urls' || target === 'lines' || target === 'text' ? (
        <textarea
          {...aria}
          id="address"
          class={target === 'urls' ? 'code' : undefined}
          rows={3}
          required
          aria-label={
            target === 'text'
              ? 'What you want to know'
              : target === 'urls'
                ? 'URLs, one per line'
                : `${name}, one per line`
          }
          placeholder={
            target === 'text'
              ? 'How many legs does a harvestman have?'
              : target === 'urls'
                ? 'https://example.com\nhttps://example.com/about'
                : 'one per line'
          }
          value={url}
          onInput={(event) => change({ url: event.currentTarget.value })}
        />
      ) : (
        <input
          {...aria}
          id="address"
          type="text"
          inputMode={target === 'url' ? 'url' : 'search'}
          required
          spellcheck={false}
          autocomplete={target === 'url' ? 'url' : 'off'}
          aria-label={target === 'url' ? 'URL' : 'Search terms'}
          placeholder={target === 'url' ? 'https://example.com' : 'long thin legs'}
          value={url}
          onInput={(event) => change({ url: event.currentTarget.value })}
        />
      )}
      <FaultLine id="address" />
    </span>
  )
}

function FileInput({ change }: Pick<PartProps, 'change'>) {
  return (
    <span class="grow">
      <input
        id="address"
        type="file"
        required
        aria-label="The file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          chosenFile.value = file
          change({ url: file?.name ?? '' })
        }}
      />
    </span>
  )
}

/** Inputs between the target and the result: formats, and a task in plain language. */
function What({ draft, description, change }: PartProps & { readonly description: Description }) {
  const schema = bodyOf(tried(draft.kind).path, description)
  const scrape = bodyOf(tried('scrape').path, description)
  const { plan } = tried(draft.kind)
  const offered = plan !== undefined && isOffered(plan, description) ? plan : undefined
  return (
    <>
      {schema?.properties?.['prompt'] && !apartOf(draft.kind) && <Task draft={draft} plan={offered} change={change} />}
      {hasFormats(draft.kind) && scrape && (
        <Formats draft={draft} names={formatNames(scrape)} fields={formatFields(scrape)} change={change} />
      )}
    </>
  )
}

interface OptionsProps extends PartProps {
  readonly description: Description | undefined
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

/** The options. They are next to the examples until a request has run; a result collapses them and takes the full width. */
function Options({ draft, description, change, isOpen, setOpen }: OptionsProps) {
  const schema = description && bodyOf(tried(draft.kind).path, description)
  const changed = Object.keys(draft.values).filter((name) => name !== 'prompt').length
  return (
    <div class="card">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Options {changed > 0 && <span class="muted small">· {changed} set</span>}</summary>
        {schema ? (
          <Form
            key={draft.kind}
            schema={schema}
            target={targetOf(draft.kind).name}
            apart={apartOf(draft.kind)}
            values={draft.values}
            change={(values) => change({ values })}
          />
        ) : (
          <p class="pad muted">Loading…</p>
        )}
      </details>
    </div>
  )
}
