-- A shop.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name VARCHAR(40) NOT NULL DEFAULT 'nobody',
  balance DECIMAL(10, 2)
);
CREATE INDEX by_name ON customers (name);

INSERT INTO customers (id, name, balance) VALUES (1, 'Ada', 10.5), (2, 'it''s', -3);

/* Who owes, and how much. */
SELECT c.name, COUNT(*) AS orders, SUM(o.total) total
FROM customers AS c
LEFT JOIN orders o ON o.customer = c.id AND o.total > 100
WHERE c.balance < 0 OR c.name LIKE 'A%' AND c.id IN (SELECT id FROM blocked)
GROUP BY c.name
HAVING COUNT(*) > 1
ORDER BY total DESC
LIMIT 10;

UPDATE customers SET balance = CASE WHEN balance IS NULL THEN 0 ELSE balance * 2 END WHERE id = 1;
DELETE FROM customers WHERE id BETWEEN 3 AND 5;
