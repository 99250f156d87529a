/**
 * TCP keepalive of database connections: a peer that vanished, with its machine or on the way, is noticed within half
 * a minute. The system's default waits two hours, and queries hang for as long.
 */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** A machine that lost its power says nothing: the database asks after it, and frees what it holds in half a minute. */
export const ASK_AFTER_ME = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4'
