/**
 * For connections to the database: one whose other end has vanished, with its machine or on the way, is noticed within half a
 * minute. Without a delay of its own the system waits two hours before it asks, in which whoever waits for an answer hangs.
 */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** A machine that lost its power says nothing: the database asks after it, and frees what it holds in half a minute. */
export const ASK_AFTER_ME = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4'
