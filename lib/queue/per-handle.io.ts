import type { Db } from "#db/client.ts";

/** What `make` makes of a handle, made once for each: a statement is prepared when it is first needed, and then used again. */
export function perHandle<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, { value: T }>();
  return (db) => {
    const known = made.get(db) ?? { value: make(db) };
    made.set(db, known);
    return known.value;
  };
}
