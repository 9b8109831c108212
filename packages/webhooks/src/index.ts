// The public exports, listed by name. Anything not listed is private.
export { makeBacklog, type Backlog } from './backlog.ts'
export { checkReceiver } from './check.ts'
export { requestRedelivery, deliver, readOutbox, type Source } from './deliver.ts'
export { forgetLost, type Notice, type Unsent } from './outbox.ts'
export { send, type Delivery, type Receiver, type WebhookSender } from './send.ts'
export { verifyWebhook, type Received } from './sign.ts'
