import { client } from '../lib/api.ts'
import { useAnswer } from '../lib/poll.ts'
import { counted, duration } from '../lib/format.ts'
import { Notice } from './notice.tsx'
import { Time } from './time.tsx'

const reasons: Readonly<Record<string, string>> = {
  stopped: 'It was stopped.',
  lifetime: 'It reached its maximum lifetime.',
  unused: 'It was unused for too long.',
  lost: 'Its browser crashed or was disconnected.',
  closed: 'Its server was stopped.',
}

/** Shows why and when a session ended, and its price. */
export function SessionEnded({ session, hasPicture }: { readonly session: string; readonly hasPicture: boolean }) {
  const { answer, refusal } = useAnswer((signal) => client.browsers.get(session, { signal }), [session])
  if (refusal) return <Notice refusal={refusal} />
  if (!answer) return null
  const { endReason = '', endedAt, sessionDurationMs, creditsBilled } = answer
  return (
    <div class="notice" role="status">
      <strong>This session has ended.</strong>
      <span>
        {reasons[endReason] ?? 'The reason is unknown.'}
        {!hasPicture && ' Its last picture was not stored.'}
      </span>
      <span class="small muted">
        {endedAt !== undefined && <Time at={endedAt} />}
        {sessionDurationMs !== undefined && ` · open for ${duration(sessionDurationMs)}`}
        {creditsBilled !== undefined && ` · ${counted(creditsBilled, 'credit')}`}
      </span>
    </div>
  )
}
