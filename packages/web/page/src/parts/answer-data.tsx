import { later } from './later.tsx'
import { Markdown } from './markdown.tsx'
import { asJson, asMarkdown, TextActions } from './result-actions.tsx'

const JsonTree = later(async () => (await import('./json-tree.tsx')).JsonTree)

export interface AnswerDataProps {
  readonly data: unknown
  readonly sources?: unknown
  /** Names of the Markdown fields. */
  readonly texts: readonly string[]
}

/** The result of a job: its Markdown fields rendered, the rest as data. */
export function AnswerData({ data, sources, texts: names }: AnswerDataProps) {
  const { texts, rest } = split(data, names)
  const value = sources === undefined ? rest : { data: rest, sources }
  return (
    <>
      {texts.map(([name, text]) => (
        <div class="card pad stack" key={name}>
          <div class="bar">
            <span class="grow" />
            <TextActions name={name} content={asMarkdown(text)} />
          </div>
          <Markdown text={text} />
        </div>
      ))}
      {rest !== undefined && (
        <div class="card pad stack">
          <div class="bar">
            <span class="grow" />
            <TextActions name="result" content={asJson(value)} />
          </div>
          <JsonTree value={value} />
        </div>
      )}
    </>
  )
}

export function hasData(data: unknown): boolean {
  const { texts, rest } = split(data, [])
  return texts.length > 0 || rest !== undefined
}

interface SplitAnswer {
  readonly texts: readonly (readonly [name: string, text: string])[]
  /** Fields that are not Markdown. */
  readonly rest: unknown
}

function split(data: unknown, names: readonly string[]): SplitAnswer {
  if (typeof data === 'string') return { texts: [['answer', data]], rest: undefined }
  if (Array.isArray(data)) return { texts: [], rest: data.length > 0 ? data : undefined }
  if (typeof data !== 'object' || data === null) return { texts: [], rest: data ?? undefined }
  const isText = ([name, value]: readonly [string, unknown]): boolean => names.includes(name) && value !== ''
  const [texts, rest] = [
    Object.entries(data).filter(isText),
    Object.entries(data).filter(([name]) => !names.includes(name)),
  ]
  return { texts: texts as [string, string][], rest: rest.length > 0 ? Object.fromEntries(rest) : undefined }
}
