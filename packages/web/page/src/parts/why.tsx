import type { PageOfBlocks } from '../lib/blocks.ts'
import { nameOf, placeOf, textOf, valueAt, type Evidence } from '../lib/evidence.ts'
import { duration, shown } from '../lib/format.ts'

export interface Step {
  readonly step: string
  readonly outcome: string
  readonly reason?: string
  readonly loader?: string
  readonly ms?: number
  readonly at: number
}

interface Block {
  readonly text: string
  readonly kept: boolean
  readonly score: number
  readonly reasons?: readonly { readonly feature: string; readonly value: number; readonly push: number }[]
}

/** Explanation of a document, as the server returns it on request. */
export interface Explanation {
  readonly steps?: readonly Step[]
  readonly blocks?: readonly Block[]
  readonly formats?: Readonly<Record<string, { readonly fields?: Readonly<Record<string, Evidence>> }>>
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>After</th>
          <th>Step</th>
          <th>Outcome</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ at, step, loader, outcome, reason, ms }, index) => (
          <tr key={index}>
            <td class="nowrap">{duration(at)}</td>
            <td>{loader ? `${step} ${loader}` : step}</td>
            <td>
              {outcome}
              {ms !== undefined && ` · ${duration(ms)}`} {reason && <span class="muted">{shown(reason)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const mostBlocks = 300
const reasonsShown = 3

/** The steps of a scrape, and each block of the page: included or not, and the decisive features. */
export function Why({ explain: { steps = [], blocks = [] } }: { readonly explain: Explanation }) {
  const kept = blocks.filter((block) => block.kept).length
  return (
    <div class="stack wide">
      <section class="stack">
        <h2>Steps</h2>
        <Steps steps={steps} />
      </section>
      {blocks.length > 0 && (
        <section class="stack">
          <h2>
            Blocks of the page{' '}
            <span class="muted small">
              {kept} included, {blocks.length - kept} left out
            </span>
          </h2>
          <ul class="blocks">
            {blocks.slice(0, mostBlocks).map((block, index) => (
              <BlockRow key={index} block={block} />
            ))}
          </ul>
          {blocks.length > mostBlocks && <p class="small muted">The first {mostBlocks} blocks are shown.</p>}
        </section>
      )}
    </div>
  )
}

function BlockRow({ block: { text, kept, score, reasons = [] } }: { readonly block: Block }) {
  const pushes = reasons.slice(0, reasonsShown)
  return (
    <li class={kept ? 'kept' : 'left'}>
      <span class={`sign ${kept ? 'ok' : 'none'}`}>{kept ? '✓ included' : '○ left out'}</span>
      <span>
        {shown(text)}
        {pushes.length > 0 && (
          <span class="reasons small muted">
            {pushes.map(({ feature, push }) => (
              <span key={feature}>
                {push > 0 ? '▲' : '▼'} {feature}
              </span>
            ))}
          </span>
        )}
      </span>
      <span class="small muted nowrap">{Math.round(score * 100)} %</span>
    </li>
  )
}

/** The extracted data, each value with its quote from the page. */
export function EvidenceTable({
  data,
  fields,
  pages,
}: {
  readonly data: unknown
  readonly fields: Readonly<Record<string, Evidence>>
  /** Pages of a file, in which the quotes are searched. */
  readonly pages?: readonly PageOfBlocks[] | undefined
}) {
  return (
    <table class="plain evidence">
      <thead>
        <tr>
          <th>Field</th>
          <th>Value</th>
          <th>From the page</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(fields).map(([pointer, { quote, method, selector, page, box, isGrounded }]) => (
          <tr key={pointer}>
            <td class="mono">{shown(nameOf(pointer))}</td>
            <td>{shown(textOf(valueAt(data, pointer)))}</td>
            <td>
              {isGrounded ? (
                <>
                  <span class="sign ok">✓</span> <q>{shown(quote ?? '')}</q>{' '}
                  <span class="small muted">
                    {shown(
                      [method, selector, placeOf(pages, { quote, page, box }) ?? (page && `page ${page}`)]
                        .filter(Boolean)
                        .join(', '),
                    )}
                  </span>
                </>
              ) : (
                <span class="sign refused">! not found on the page</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
