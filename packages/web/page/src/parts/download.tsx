import { useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import type { Ending } from '../lib/download.ts'
import { number } from '../lib/format.ts'
import { say } from '../lib/say.ts'

const kinds: Readonly<Record<Ending, string>> = {
  jsonl: 'JSONL',
  csv: 'CSV',
  parquet: 'Parquet',
  zip: 'Markdown (zip)',
}

export interface DownloadProps {
  readonly kind: string
  readonly id: string
  readonly fail: (refusal: Refusal) => void
}

/** Downloads the documents of a job in the selected format. */
export function Download({ kind, id, fail }: DownloadProps) {
  const [count, setCount] = useState<number | undefined>()
  const start = async (ending: Ending): Promise<void> => {
    setCount(0)
    try {
      const { download } = await import('../lib/download.ts')
      await download(ending, { kind, id }, setCount)
      say(`The documents are in your downloads, as ${kinds[ending]}`)
    } catch (error) {
      fail(refusalOf(error))
    }
    setCount(undefined)
  }
  return (
    <select
      class="narrow action button"
      aria-label="Download"
      disabled={count !== undefined}
      value=""
      onChange={({ currentTarget: { value } }) => isEnding(value) && void start(value)}
    >
      <option value="">{count === undefined ? 'Download' : `Reading, ${number(count)} pages`}</option>
      {Object.entries(kinds).map(([ending, label]) => (
        <option key={ending} value={ending}>
          {label}
        </option>
      ))}
    </select>
  )
}

function isEnding(text: string): text is Ending {
  return Object.hasOwn(kinds, text)
}
