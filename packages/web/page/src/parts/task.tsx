import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { requestOf, tried, type Draft, type Values } from '../lib/draft.ts'
import { FaultLine, useFault } from './fault.tsx'
import { Notice } from './notice.tsx'

export interface TaskProps {
  readonly draft: Draft
  /** Path of the endpoint that converts the prompt to options; absent without one. */
  readonly plan: string | undefined
  readonly change: (part: Partial<Draft>) => void
}

/** A task in plain language, for a language model. */
export function Task({ draft, plan, change }: TaskProps) {
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isBusy, setBusy] = useState(false)
  const { aria } = useFault('task')
  const { prompt: _, ...others } = draft.values
  const prompt = typeof draft.values['prompt'] === 'string' ? draft.values['prompt'] : ''
  const preview = async (path: string): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = { url: requestOf(draft)['url'], prompt }
      const { data } = await client.request<{ data: Values }>(path, { method: 'POST', body })
      const { url: _address, ...options } = data
      change({ values: { ...others, ...options } })
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  return (
    <div class="field">
      <label for="task">
        In your words <span class="muted small">optional, needs a language model</span>
      </label>
      <textarea
        {...aria}
        id="task"
        rows={2}
        placeholder={tried(draft.kind).words ?? 'The name and the price of each product'}
        value={prompt}
        onInput={(event) => {
          const text = event.currentTarget.value
          change({ values: text === '' ? others : { ...others, prompt: text } })
        }}
      />
      <FaultLine id="task" />
      {plan !== undefined && prompt !== '' && draft.url !== '' && (
        <span>
          <button type="button" class="small" disabled={isBusy} onClick={() => void preview(plan)}>
            {isBusy ? 'Asking…' : 'Show the options for it'}
          </button>
        </span>
      )}
      {refusal && <Notice refusal={refusal} />}
    </div>
  )
}
