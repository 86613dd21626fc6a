/** The database's name in its folder. Apart from what opens it, so that a path can be named without a native addon. */
export const DB_FILE = "mecha.db";
