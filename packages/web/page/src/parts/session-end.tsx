import { useAnswer } from '../lib/poll.ts'
import { counted, duration } from '../lib/format.ts'
import { readEnd } from '../lib/sessions.ts'
import { Notice } from './notice.tsx'
import { Time } from './time.tsx'

const reasons: Readonly<Record<string, string>> = {
  stopped: 'It was stopped.',
  lifetime: 'It had lived for as long as was allowed.',
  unused: 'It had not been used for as long as was allowed.',
  lost: 'Its browser was lost.',
  closed: 'Its server was stopped.',
}

/** Why a session ended, when, and its bill. */
export function SessionEnded({ session, hasPicture }: { readonly session: string; readonly hasPicture: boolean }) {
  const { answer, refusal } = useAnswer((signal) => readEnd(session, signal), [session])
  if (refusal) return <Notice refusal={refusal} />
  if (!answer) return null
  const { endReason = '', endedAt, sessionDurationMs, creditsBilled } = answer
  return (
    <div class="notice" role="status">
      <strong>This session has ended.</strong>
      <span>
        {reasons[endReason] ?? 'Why is not known.'}
        {!hasPicture && ' Its last picture is not kept.'}
      </span>
      <span class="small muted">
        {endedAt !== undefined && <Time at={endedAt} />}
        {sessionDurationMs !== undefined && ` · lived ${duration(sessionDurationMs)}`}
        {creditsBilled !== undefined && ` · ${counted(creditsBilled, 'credit')}`}
      </span>
    </div>
  )
}
